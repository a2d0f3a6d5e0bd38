/* What a decision costs: from a header block to a plan, beside the least that could be done with the same bytes (every
 * byte looked at once), in the same run and in processor time. Prints both and their ratio; ends with 1 when a decision
 * takes more than its budget. */
#include "core/base/clock.h"
#include "core/policy/retry_planner.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define FIELD(name, value)                                                                                             \
    {                                                                                                                  \
        name, sizeof(name) - 1, value, sizeof(value) - 1                                                               \
    }
#define BUDGET_NS 2000.0

enum { ROUNDS = 20, DECISIONS = 20000 };

/* Answers as gateways send them: the first tells nothing, the second everything at once, the third an epoch. */
static const struct header_field plain[] = {
    FIELD("content-type", "application/json; charset=utf-8"),
    FIELD("date", "Sat, 14 Nov 2026 10:00:00 GMT"),
    FIELD("cache-control", "no-cache, no-store"),
    FIELD("vary", "Accept-Encoding"),
    FIELD("content-encoding", "gzip"),
    FIELD("content-length", "5120"),
    FIELD("strict-transport-security", "max-age=31536000"),
    FIELD("x-content-type-options", "nosniff"),
    FIELD("x-frame-options", "SAMEORIGIN"),
    FIELD("server-timing", "cdn-cache; desc=MISS"),
    FIELD("set-cookie", "session=0123456789abcdef; path=/; secure; HttpOnly"),
    FIELD("connection", "keep-alive"),
};
static const struct header_field structured[] = {
    FIELD("content-type", "application/json; charset=utf-8"),
    FIELD("date", "Sat, 14 Nov 2026 10:00:00 GMT"),
    FIELD("ratelimit", "\"burst\";r=0;t=12, \"hour\";r=140;t=1800"),
    FIELD("ratelimit-policy", "\"burst\";q=20;w=15, \"hour\";q=1000;w=3600"),
    FIELD("retry-after", "Sat, 14 Nov 2026 10:00:09 GMT"),
    FIELD("cache-control", "no-cache, no-store"),
    FIELD("content-length", "97"),
    FIELD("server", "gateway"),
};
static const struct header_field epoch[] = {
    FIELD("Content-Type", "application/json"),
    FIELD("X-RateLimit-Limit", "100, 100;w=60, 1000;w=3600"),
    FIELD("X-RateLimit-Remaining", "0"),
    FIELD("X-RateLimit-Reset", "1794650431"),
    FIELD("Content-Length", "97"),
    FIELD("Connection", "close"),
};

static const struct sample {
    const char *name;
    const struct header_field *fields;
    size_t count;
    int status;
} samples[] = {
    {"200, no quota", plain, sizeof plain / sizeof plain[0], 200},
    {"429, structured", structured, sizeof structured / sizeof structured[0], 429},
    {"503, epoch", epoch, sizeof epoch / sizeof epoch[0], 503},
};

static volatile int64_t sink;

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void decide(const struct sample *sample)
{
    struct plan_input input = {.outcome = sample->status == 200 ? OUTCOME_OK : OUTCOME_STATUS,
                               .status = sample->status,
                               .body_hint_ms = QUOTA_UNKNOWN,
                               .attempt = 1,
                               .max_attempts = 4,
                               .left_ms = 90000,
                               .u1 = 0.5,
                               .u2 = 0.5};
    quota_read(sample->fields, sample->count, INT64_C(1794650400000), &input.quota);
    struct plan plan = retry_plan(&policy_default, &input);
    sink += plan.wait_ms;
}

static void look(const struct sample *sample)
{
    unsigned sum = 0;
    for (size_t i = 0; i < sample->count; i++) {
        for (size_t at = 0; at < sample->fields[i].name_length; at++) {
            sum = sum * 31 + (unsigned char)sample->fields[i].name[at];
        }
        for (size_t at = 0; at < sample->fields[i].value_length; at++) {
            sum = sum * 31 + (unsigned char)sample->fields[i].value[at];
        }
    }
    sink += sum;
}

/* The best of several rounds: what the machine does meanwhile only ever adds. */
static double best_ns(const struct sample *sample, void (*work)(const struct sample *))
{
    double best = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_ns();
        for (int i = 0; i < DECISIONS; i++) {
            work(sample);
        }
        double each = (cpu_ns() - start) / DECISIONS;
        best = each < best ? each : best;
    }
    return best;
}

int main(void)
{
    bool within = true;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        double looking = best_ns(&samples[i], look), deciding = best_ns(&samples[i], decide);
        printf("%s: %zu fields, decision %.0f ns, one look at every byte %.0f ns, ratio %.2f (budget %.0f ns)\n",
               samples[i].name, samples[i].count, deciding, looking, deciding / looking, BUDGET_NS);
        within = within && deciding <= BUDGET_NS;
    }
    return within ? 0 : 1;
}
