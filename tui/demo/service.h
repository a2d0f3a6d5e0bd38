#ifndef TUI_DEMO_SERVICE_H
#define TUI_DEMO_SERVICE_H

#include "core/base/buffer.h"
#include "tui/demo/scenario.h"

#include <stdbool.h>
#include <stddef.h>

/* vPIC's interface (vpic.md 2.1 and 2.2): which call a request is, and the bodies that answer it. Pure; any thread. */

enum { ASKS_MAX = 50, ASK_TEXT_MAX = 64 };

enum route {
    ROUTE_UNKNOWN,
    ROUTE_FLAT, /* DecodeVinValues and DecodeVinValuesExtended */
    ROUTE_ROWS, /* DecodeVin and DecodeVinExtended: a row for each field */
    ROUTE_BATCH /* DecodeVINValuesBatch */
};

struct ask {
    char vin[ASK_TEXT_MAX + 1]; /* as it was sent */
    int year;                   /* sent with it; 0: none */
};

struct service_call {
    enum route route;
    bool json; /* else XML, NHTSA's default */
    struct ask asks[ASKS_MAX];
    size_t ask_count;
    bool too_many; /* more than ASKS_MAX in one call */
    char name[64]; /* of an unknown route, for its 404 */
};

/* Reads the decoded path of a request. `post`: by POST, which only the batch takes. */
void service_read_path(const char *path, bool post, struct service_call *out);

/* The parameters: of the URL's query for a GET, of the form for a POST. */
void service_read_format(const char *format, struct service_call *out);
void service_read_year(const char *year, struct service_call *out);
void service_read_data(const char *data, struct service_call *out);

/* What the service answers to it when nothing is wrong with the service: 200, 400 or 404. */
int service_status(const struct service_call *call);

/* Appends the body of an answer with `status` that `answer` asks for. Returns its content type. */
const char *service_body(const struct service_call *call, const struct scripted_answer *answer, int status,
                         int this_year, struct buffer *out);

#endif
