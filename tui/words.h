#ifndef TUI_WORDS_H
#define TUI_WORDS_H

#include "core/engine/engine.h"

#include <stdbool.h>
#include <stddef.h>

/* Texts for people, keyed by reason, for the screen and for scripts alike (screen.md, planner.md 5.7). `host` is
 * "NHTSA" when the upstream is NHTSA or the demo, else the host's name. Every function writes at most `size` - 1 bytes
 * and a NUL. What the upstream says itself is passed on as bytes: like any text from outside it is shown through
 * frame_text() or frame_clean(). Pure. */

/* "Retry-After 30 s", "Retry-After until 12:00:30", "RateLimit reset", "our own back-off", ... `utc_offset_ms` is local
 * time's. */
void words_origin(const struct wait *wait, const char *host, int64_t utc_offset_ms, char *out, size_t size);

/* One clear sentence for a failure; never "invalid VIN" unless the local check says so. */
void words_failure(const struct event_failed *failed, const char *host, monotime now, walltime wall,
                   int64_t utc_offset_ms, char *out, size_t size);

/* The same for a whole list that ends with this failure, see list_is_turned_away(). */
void words_turned_away(const struct event_failed *failed, const char *host, char *out, size_t size);

/* Two words at most for how a VIN ended, for lists: "throttled", "no answer". Constant. */
const char *words_code(enum code code);

/* The first problem of a text, for people: 'O stands at position 5, a VIN never holds it', ... "" without one. */
void words_problem(const struct vin_check *check, char *out, size_t size);

/* Why a retry is waited for, and that it leaves by itself. No full stop. */
void words_waiting(const struct event_waiting *waiting, const char *host, char *out, size_t size);

/* "0:27", "12:05", "1:02:03": the rest rounded up to seconds, never 0:00 while something is left. */
void words_countdown(int64_t left_ms, char *out, size_t size);

/* "2 min 5 s". */
void words_duration(int64_t ms, char *out, size_t size);

/* A number with decimals, which NHTSA writes at length ("3211.864544"), rounded for people, with a comma at thousands
 * as in NHTSA's own texts: "3,211.9". False for what is no such number. */
enum { WORDS_NUMBER_MAX = 32 };
bool words_number(const char *text, size_t length, char *out, size_t size);

/* "20:41:07"; "2026-11-29 20:41:07" when it is more than half a day before or after `wall`. */
void words_time(walltime at, walltime wall, int64_t utc_offset_ms, char *out, size_t size);

#endif
