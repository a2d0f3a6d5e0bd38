#include "simulation/upstream.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The bytes of an answer: header lines in every family, bodies whole and broken. */

void wire_init(struct wire *wire)
{
    *wire = (struct wire){.used = 0};
    buffer_init(&wire->body, 1 << 20);
}

void wire_clear(struct wire *wire)
{
    buffer_clear(&wire->body);
}

static void put_line(struct wire *wire, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void put_line(struct wire *wire, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *value = wire->text + wire->used;
    int length = vsnprintf(value, sizeof wire->text - wire->used, format, arguments);
    va_end(arguments);
    wire->fields[wire->response.header_count++] = (struct header_field){
        .name = name, .name_length = strlen(name), .value = value, .value_length = (size_t)length};
    wire->used += (size_t)length + 1;
}

/* An HTTP-date (RFC 9110, 5.6.7), by Howard Hinnant's arithmetic of days: gmtime_r would do, and costs more. */
static void put_date(struct wire *wire, const char *name, walltime at)
{
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    long long seconds = at / 1000, day = seconds / 86400, of_day = seconds % 86400;
    long long era_day = day + 719468, era = era_day / 146097, of_era = era_day - era * 146097;
    long long year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long long of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    long long shifted = (5 * of_year + 2) / 153, month = shifted < 10 ? shifted + 2 : shifted - 10;
    put_line(wire, name, "%s, %02lld %s %04lld %02lld:%02lld:%02lld GMT", days[day % 7],
             of_year - (153 * shifted + 2) / 5 + 1, months[month], year_of_era + era * 400 + (month <= 1),
             of_day / 3600, of_day / 60 % 60, of_day % 60);
}

/* The moments an answer speaks of, on the clocks there are. */
struct clocks {
    monotime now;
    walltime ours;   /* our wall clock */
    walltime theirs; /* the upstream's */
    walltime base;   /* from where a client counts: the Date line, or its own clock (P6) */
};

static int64_t seconds_up(int64_t ms)
{
    return (ms + 999) / 1000;
}

static int64_t not_negative(int64_t ms)
{
    return ms > 0 ? ms : 0;
}

/* A moment of the upstream's clock, `ms` from now, in whole seconds. */
static walltime their_second(const struct clocks *clocks, int64_t ms)
{
    return seconds_up(clocks->theirs + ms) * 1000;
}

/* Names a wait of `ms`. */
static void put_hint(struct wire *wire, enum hint_form form, int64_t ms, const struct clocks *clocks,
                     struct announcement *said)
{
    walltime at = their_second(clocks, ms);
    switch (form) {
    case HINT_FORM_SECONDS:
        put_line(wire, "Retry-After", "%lld", (long long)seconds_up(ms));
        said->retry_after_ms = seconds_up(ms) * 1000;
        break;
    case HINT_FORM_DATE:
        put_date(wire, "retry-after", at);
        said->retry_after_ms = not_negative(at - clocks->base);
        break;
    case HINT_FORM_EPOCH:
        put_line(wire, "Retry-After", "%lld", (long long)(at / 1000));
        said->retry_after_ms = not_negative(at - clocks->base);
        break;
    case HINT_FORM_MS:
        put_line(wire, "Retry-After-Ms", "%lld", (long long)ms);
        said->retry_after_ms = ms;
        break;
    case HINT_FORM_BODY:
    case HINT_FORM_COUNT:
        said->body_hint_ms = ms; /* the body's writer reads it there */
        break;
    }
}

static void put_x_family(struct wire *wire, enum family family, const struct call_on_wire *call, int64_t limit,
                         const struct clocks *clocks, struct announcement *said)
{
    int64_t ms = not_negative(call->reset_at - clocks->now);
    walltime at = their_second(clocks, ms);
    put_line(wire, "X-RateLimit-Limit", "%lld", (long long)limit);
    put_line(wire, "X-RateLimit-Remaining", "%lld", (long long)call->remaining);
    said->reset_ms = not_negative(at - clocks->base);
    if (family == FAMILY_X_EPOCH) {
        put_line(wire, "X-RateLimit-Reset", "%lld", (long long)(at / 1000));
    } else if (family == FAMILY_X_EPOCH_MS) {
        put_line(wire, "X-RateLimit-Reset", "%lld", (long long)at);
    } else {
        const char *name = family == FAMILY_X_RESET_AFTER ? "X-RateLimit-Reset-After" : "X-RateLimit-Reset";
        put_line(wire, name, "%lld", (long long)seconds_up(ms));
        said->reset_ms = seconds_up(ms) * 1000;
    }
}

static void put_quota(struct wire *wire, const struct upstream *upstream, const struct call_on_wire *call,
                      const struct clocks *clocks, struct announcement *said)
{
    int64_t seconds = seconds_up(not_negative(call->reset_at - clocks->now));
    long long limit = upstream->limit, remaining = call->remaining, reset = seconds;
    said->reset_ms = seconds * 1000;
    switch (upstream->family) {
    case FAMILY_NONE:
    case FAMILY_RETRY_AFTER:
    case FAMILY_COUNT:
        said->reset_ms = -1;
        return;
    case FAMILY_STRUCTURED:
        put_line(wire, "RateLimit-Policy", "\"default\";q=%lld;w=60", limit);
        put_line(wire, "RateLimit", "\"default\";r=%lld;t=%lld", remaining, reset);
        break;
    case FAMILY_DICTIONARY:
        put_line(wire, "RateLimit", "limit=%lld, remaining=%lld, reset=%lld", limit, remaining, reset);
        break;
    case FAMILY_TRIPLE:
        put_line(wire, "ratelimit-limit", "%lld", limit);
        put_line(wire, "ratelimit-remaining", "%lld", remaining);
        put_line(wire, "ratelimit-reset", "%lld", reset);
        break;
    case FAMILY_X_RATE_LIMIT:
        put_line(wire, "X-Rate-Limit-Remaining", "%lld", remaining);
        put_line(wire, "X-Rate-Limit-Reset", "%lld", reset);
        break;
    case FAMILY_X_DELTA:
    case FAMILY_X_EPOCH:
    case FAMILY_X_EPOCH_MS:
    case FAMILY_X_RESET_AFTER:
        put_x_family(wire, upstream->family, call, limit, clocks, said);
        break;
    }
    said->remaining = remaining;
}

/* Lines that mean nothing, and must change nothing (invariant 7). */
static void put_junk(struct wire *wire, struct random *random)
{
    static const char *const lines[][2] = {
        {"Retry-After", "soon"},        {"Retry-After", "-5"},
        {"Retry-After", "1e3"},         {"Retry-After", "12 s"},
        {"X-RateLimit-Reset", "never"}, {"X-RateLimit-Remaining", "+0"},
        {"RateLimit-Remaining", "0x0"}, {"RateLimit-Reset", "\"9\""},
        {"RateLimit-Policy", ";;;"},    {"Retry-After", "Fri, 30 Feb 2026 00:00:00 GMT"},
        {"Retry-After-Ms", "0,5;"},     {"X-Retry-After", "60"},
        {"Age", "yesterday"},
    };
    const char *const *line = lines[random_below(random, sizeof lines / sizeof lines[0])];
    put_line(wire, line[0], "%s", line[1]);
}

/* A sparse row has a model and nothing else to tell. */
static void put_row(struct wire *wire, const char *vin, int year, uint64_t serial, bool sparse)
{
    buffer_printf(&wire->body, "{\"VIN\":\"%s\",\"Model\":\"SERIAL-%llu\",\"ModelYear\":\"%d\",\"ErrorCode\":\"0\"",
                  vin, (unsigned long long)serial, year);
    if (!sparse) {
        buffer_puts(&wire->body, ",\"Make\":\"HONDA\",\"Doors\":\"2\",\"BodyClass\":\"Coupe\","
                                 "\"PlantCity\":\"MARYSVILLE\",\"Trim\":\"\"");
    }
    buffer_putc(&wire->body, '}');
}

static const char foreign_vin[] = "5YJSA1E26HF000337";

static void put_comma(struct wire *wire, size_t rows)
{
    if (rows > 0) {
        buffer_putc(&wire->body, ',');
    }
}

/* The same VIN with two model years. */
static bool has_twin(const struct call_on_wire *call, size_t index)
{
    for (size_t i = 0; i < call->count; i++) {
        if (i != index && strcmp(call->keys[i].vin, call->keys[index].vin) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_twins(const struct call_on_wire *call)
{
    bool twins = false;
    for (size_t i = 0; i < call->count; i++) {
        twins = twins || has_twin(call, i);
    }
    return twins;
}

/* The rows of a group: missing, doubled, foreign, out of order, and some that nobody asked for. Twins keep their order
 * and are neither missing nor doubled: a client could not notice that. Returns how many rows there are. */
static size_t put_rows(const struct upstream *upstream, struct call_on_wire *call, struct wire *wire)
{
    enum { TRICK_MISSING, TRICK_FOREIGN, TRICK_DOUBLED, TRICK_NAMELESS, TRICKS = 10 };
    struct random *random = &call->draws;
    bool naughty = call->group && !upstream->calm && draw_chance(random, upstream->mischief_percent);
    bool backwards = naughty && draw_chance(random, 30) && !has_twins(call);
    size_t rows = 0;
    wire->in_order = !backwards;
    for (size_t i = 0; i < call->count; i++) {
        size_t at = backwards ? call->count - 1 - i : i;
        const struct vin_key *key = &call->keys[at];
        bool sparse = draw_chance(random, 15);
        size_t trick = naughty && !has_twin(call, at) ? random_below(random, TRICKS) : TRICKS;
        wire->in_order = wire->in_order && trick > TRICK_NAMELESS;
        if (trick == TRICK_MISSING) {
            continue;
        }
        put_comma(wire, rows++);
        if (trick == TRICK_FOREIGN) {
            put_row(wire, foreign_vin, 2017, 1, false);
            continue;
        }
        put_row(wire, key->vin, key->year, upstream_serial(call, at), sparse);
        wire->has_row[at] = true;
        if (trick == TRICK_DOUBLED) {
            put_comma(wire, rows++);
            put_row(wire, key->vin, key->year, upstream_serial(call, at), sparse);
        } else if (trick == TRICK_NAMELESS) {
            put_comma(wire, rows++);
            buffer_puts(&wire->body, "{\"Make\":\"NOBODY\"}");
        }
    }
    return rows;
}

/* The body of a 200, and whether it can be read. */
static bool put_body(const struct upstream *upstream, struct call_on_wire *call, struct wire *wire)
{
    struct buffer *body = &wire->body;
    switch (call->fault) {
    case FAULT_HTML:
        buffer_puts(body, "<!doctype html><html><body>Scheduled maintenance</body></html>");
        return false;
    case FAULT_XML:
        buffer_puts(body, "<?xml version=\"1.0\"?><Response><Count>1</Count></Response>");
        return false;
    case FAULT_EMPTY:
        return false;
    case FAULT_NO_RESULTS:
        buffer_puts(body, "{\"Count\":0,\"Message\":\"busy\",\"Results\":[]}");
        return false;
    case FAULT_WRONG_VIN:
        buffer_puts(body, "{\"Count\":1,\"Message\":\"ok\",\"Results\":[");
        put_row(wire, foreign_vin, 2017, 1, false);
        buffer_puts(body, "]}");
        return true;
    default:
        break;
    }
    buffer_puts(body, "{\"Count\":1,\"Message\":\"ok\",\"Results\":[");
    size_t rows = put_rows(upstream, call, wire);
    buffer_puts(body, "]}");
    bool cut = call->fault == FAULT_CUT_JSON || call->fault == FAULT_PARTIAL || call->fault == FAULT_STALLED ||
               call->fault == FAULT_TOO_LARGE;
    if (cut) {
        body->length /= 2;
        memset(wire->has_row, 0, sizeof wire->has_row);
        return false;
    }
    return rows > 0;
}

static enum transfer transfer_of(enum fault fault)
{
    switch (fault) {
    case FAULT_RESET:
        return TRANSFER_RESET;
    case FAULT_REFUSED:
        return TRANSFER_REFUSED;
    case FAULT_UNREACHABLE:
        return TRANSFER_UNREACHABLE;
    case FAULT_SILENT:
    case FAULT_STALLED:
        return TRANSFER_TIMEOUT;
    case FAULT_PARTIAL:
        return TRANSFER_PARTIAL;
    case FAULT_DNS:
        return TRANSFER_DNS_FAILED;
    case FAULT_NO_HOST:
        return TRANSFER_NO_SUCH_HOST;
    case FAULT_CERTIFICATE:
        return TRANSFER_CERTIFICATE;
    case FAULT_UNSUPPORTED:
        return TRANSFER_UNSUPPORTED;
    case FAULT_NOT_HTTP:
        return TRANSFER_NOT_HTTP;
    case FAULT_BAD_HEADERS:
        return TRANSFER_BAD_HEADERS;
    case FAULT_TOO_LARGE:
        return TRANSFER_TOO_LARGE;
    default:
        return TRANSFER_ANSWERED;
    }
}

static int status_of(enum fault fault)
{
    static const int statuses[FAULT_COUNT] = {
        [FAULT_S301] = 301, [FAULT_S400] = 400, [FAULT_S403] = 403, [FAULT_S404] = 404, [FAULT_S408] = 408,
        [FAULT_S500] = 500, [FAULT_S502] = 502, [FAULT_S503] = 503, [FAULT_S504] = 504, [FAULT_S429] = 429};
    return statuses[fault] != 0 ? statuses[fault] : 200;
}

/* A pause out of the blue: often short, sometimes absurd. */
static int64_t draw_hint_ms(struct random *random)
{
    static const int64_t hints_ms[] = {0, 400, 1000, 2000, 5000, 10000, 30000, 59000, 60000, 90000, 3600000};
    return hints_ms[random_below(random, sizeof hints_ms / sizeof hints_ms[0])];
}

static void put_error_body(struct wire *wire, const struct announcement *said)
{
    if (said->body_hint_ms >= 0) {
        put_line(wire, "Content-Type", "application/json; charset=utf-8");
        buffer_printf(&wire->body, "{\"error\":\"slow down\",\"retryAfterMs\":%lld}", (long long)said->body_hint_ms);
    } else {
        put_line(wire, "Content-Type", "text/html");
        buffer_puts(&wire->body, "<html>no</html>");
    }
}

static void put_header(const struct upstream *upstream, struct call_on_wire *call, const struct clocks *clocks,
                       struct wire *wire, struct announcement *said)
{
    struct random *random = &call->draws;
    if (upstream->sends_date) {
        put_date(wire, "Date", clocks->theirs);
    }
    if (!upstream->calm && draw_chance(random, upstream->junk_percent)) {
        put_junk(wire, random);
    }
    bool stored = !upstream->calm && draw_chance(random, upstream->age_percent);
    if (call->remaining >= 0) {
        put_quota(wire, upstream, call, clocks, said);
    }
    if (stored) {
        put_line(wire, "Age", "17"); /* an old answer: its quota fields speak of another time (P15) */
        said->remaining = said->reset_ms = -1;
    }
    bool over = !call->within_quota && call->fault == FAULT_NONE;
    if (over && upstream->hints_on_refusal) {
        put_hint(wire, upstream->hint_form, not_negative(call->reset_at - clocks->now), clocks, said);
    } else if (said->status != 200 && !over && draw_chance(random, 60)) {
        put_hint(wire, (enum hint_form)random_below(random, HINT_FORM_COUNT), draw_hint_ms(random), clocks, said);
    }
    if (!upstream->calm && draw_chance(random, upstream->junk_percent)) {
        put_junk(wire, random);
    }
}

void wire_write(const struct upstream *upstream, struct call_on_wire *call, monotime now, walltime wall,
                struct wire *wire, struct announcement *said)
{
    walltime theirs = wall + upstream->skew_ms;
    struct clocks clocks = {
        .now = now, .ours = wall, .theirs = theirs, .base = upstream->sends_date ? theirs - theirs % 1000 : wall};
    *said = announcement_none();
    said->transfer = transfer_of(call->fault);
    wire->used = 0;
    wire->response = (struct response){.transfer = said->transfer, .headers = wire->fields, .received_wall = wall};
    buffer_reset(&wire->body);
    memset(wire->has_row, 0, sizeof wire->has_row);
    bool has_header = said->transfer == TRANSFER_ANSWERED || said->transfer == TRANSFER_PARTIAL ||
                      said->transfer == TRANSFER_TOO_LARGE || call->fault == FAULT_STALLED;
    if (has_header) {
        bool over = !call->within_quota && call->fault == FAULT_NONE;
        said->status = over ? upstream->refusal : status_of(call->fault);
        wire->response.status = said->status;
        put_header(upstream, call, &clocks, wire, said);
        if (said->status == 200) {
            said->readable = put_body(upstream, call, wire);
        } else {
            put_error_body(wire, said);
        }
    }
    wire->response.body = wire->body.data;
    wire->response.body_length = wire->body.length;
}
