#ifndef TUI_HEADLESS_H
#define TUI_HEADLESS_H

#include "core/net/network.h"
#include "tui/options.h"

/* The same engine without a screen (cli.md): VINs in, records out, in input order and in constant memory. Standard
 * output carries whole lines of results and nothing else. */

/* Decodes what `options` names. `host` and `utc_offset_ms` as for tui/words.h; `signals` is from signals_open().
 * Returns the exit status. */
int headless_run(const struct options *options, const struct network_options *network, const char *host,
                 int64_t utc_offset_ms, int this_year, int signals);

#endif
