#include "simulation/herd_quota.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Many programs behind one quota, in virtual time: ours against the usual ones. See README.md beside this file. */

static const char usage[] = "usage: herd [--limit CALLS] [--window SECONDS] [--most ENGINES] [--seed N]\n";

struct options {
    int64_t limit, window_s, most, seed;
};

static bool read_options(int count, char **arguments, struct options *options)
{
    for (int i = 1; i < count; i += 2) {
        struct {
            const char *name;
            int64_t *value;
        } known[] = {{"--limit", &options->limit},
                     {"--window", &options->window_s},
                     {"--most", &options->most},
                     {"--seed", &options->seed}};
        size_t at = 0;
        while (at < 4 && strcmp(arguments[i], known[at].name) != 0) {
            at++;
        }
        char *end = NULL;
        int64_t value = i + 1 < count ? strtoll(arguments[i + 1], &end, 10) : 0;
        if (at == 4 || value <= 0 || end == NULL || *end != '\0') {
            return false;
        }
        *known[at].value = value;
    }
    return true;
}

static void print_row(const struct herd_quota *quota, const char *name, size_t clients)
{
    double ideal = (double)herd_quota_ideal_ms(quota, clients);
    printf("| %zu | %s | %llu | %.1f | %llu | %llu | %.2f |\n", clients, name, (unsigned long long)quota->refused,
           (double)quota->refused / (double)clients, (unsigned long long)quota->early,
           (unsigned long long)quota->busiest_second, (double)quota->finished_at / ideal);
    fflush(stdout);
}

static struct herd_quota new_quota(const struct options *options)
{
    return (struct herd_quota){
        .limit = options->limit, .window_ms = options->window_s * 1000, .latency_ms = 200, .second_at = -1};
}

/* The measure: at 1,000 engines at most a tenth of the refused calls of exponential backoff without jitter, and
 * no early call at all. */
static bool is_good(const struct herd_quota *ours, const struct herd_quota *exponential, size_t clients)
{
    bool few = clients != 1000 || ours->refused * 10 <= exponential->refused;
    if (!few) {
        printf("NOT SO: at 1000 engines more than a tenth of the refused calls of exponential backoff\n");
    }
    if (ours->early > 0) {
        printf("NOT SO: %llu early calls of ours\n", (unsigned long long)ours->early);
    }
    return few && ours->early == 0;
}

int main(int count, char **arguments)
{
    struct options options = {.limit = 100, .window_s = 60, .most = 10000, .seed = 1};
    if (!read_options(count, arguments, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    bool good = true;
    printf(
        "A quota of %lld calls in %lld s, fixed windows, 429 with Retry-After; every engine wants one VIN, all begin "
        "within one second.\n\n"
        "| engines | policy | refused calls | refused for each | calls while told to wait | busiest second | makespan "
        "/ ideal |\n"
        "|---:|---|---:|---:|---:|---:|---:|\n",
        (long long)options.limit, (long long)options.window_s);
    for (size_t clients = 1; clients <= (size_t)options.most; clients *= 10) {
        struct herd_quota ours = new_quota(&options), exponential = ours;
        herd_of_engines(&ours, clients, (uint64_t)options.seed);
        print_row(&ours, "vindecode", clients);
        for (int manner = 0; manner < MANNER_COUNT; manner++) {
            struct herd_quota theirs = new_quota(&options);
            herd_of_others(&theirs, (enum herd_manner)manner, clients, (uint64_t)options.seed);
            print_row(&theirs, herd_manner_name((enum herd_manner)manner), clients);
            exponential = manner == MANNER_EXPONENTIAL ? theirs : exponential;
        }
        good = is_good(&ours, &exponential, clients) && good;
    }
    return good ? 0 : 1;
}
