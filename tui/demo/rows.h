#ifndef TUI_DEMO_ROWS_H
#define TUI_DEMO_ROWS_H

#include "core/base/buffer.h"
#include "tui/demo/service.h"

#include <stddef.h>

/* Answers of the service as text: the envelope of vpic.md 2.2 around rows. `rows` holds for each row the number of the
 * ask that it answers; call->ask_count stands for a vehicle that nobody asked for. Pure; any thread. */
void rows_put_json(const struct service_call *call, const size_t *rows, size_t count, int this_year,
                   struct buffer *out);
void rows_put_xml(const struct service_call *call, const size_t *rows, size_t count, int this_year, struct buffer *out);

/* The body of a 404. */
void rows_put_unknown_route(const struct service_call *call, struct buffer *out);

#endif
