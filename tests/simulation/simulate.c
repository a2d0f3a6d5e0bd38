#include "core/base/random.h"
#include "simulation/shrink.h"
#include "simulation/workers.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The engine and the screen's model against a simulated upstream, in virtual time. See README.md beside this file. */

static const char usage[] =
    "usage: simulate [--seeds A..B | --fresh COUNT] [--steps N] [--workers N] [--digests] [--no-shrink]\n"
    "       simulate --seed N [--steps N] [--drop 3,5,9-14]      prints the trace of one run\n"
    "       simulate --day SEED                                  a day of virtual time\n";

struct options {
    struct seeds seeds;
    bool one, day, shrinks;
    const char *drop;
};

static bool read_number(const char *text, uint64_t *out)
{
    char *end;
    *out = text != NULL ? strtoull(text, &end, 10) : 0;
    return text != NULL && *text >= '0' && *text <= '9' && *end == '\0';
}

static bool read_range(const char *text, struct seeds *seeds)
{
    char first[32] = "";
    const char *dots = text != NULL ? strstr(text, "..") : NULL;
    if (dots == NULL || (size_t)(dots - text) >= sizeof first) {
        return false;
    }
    memcpy(first, text, (size_t)(dots - text));
    return read_number(first, &seeds->first) && read_number(dots + 2, &seeds->last) && seeds->first <= seeds->last;
}

static bool read_fresh(const char *text, struct seeds *seeds)
{
    uint64_t count;
    if (!read_number(text, &count) || count == 0) {
        return false;
    }
    seeds->first = random_seed_from_system() >> 24;
    seeds->last = seeds->first + count - 1;
    printf("fresh seeds %llu..%llu\n", (unsigned long long)seeds->first, (unsigned long long)seeds->last);
    return true;
}

static bool read_option(struct options *options, const char *name, const char *value, bool *took_value)
{
    uint64_t number = 0;
    *took_value = true;
    if (strcmp(name, "--seeds") == 0) {
        return read_range(value, &options->seeds);
    }
    if (strcmp(name, "--fresh") == 0) {
        return read_fresh(value, &options->seeds);
    }
    if (strcmp(name, "--drop") == 0) {
        options->drop = value;
        return value != NULL;
    }
    if (strcmp(name, "--steps") == 0) {
        return read_number(value, &options->seeds.steps);
    }
    if (strcmp(name, "--workers") == 0) {
        bool sound = read_number(value, &number) && number > 0 && number < 1000;
        options->seeds.workers = (unsigned)number;
        return sound;
    }
    if (strcmp(name, "--seed") == 0 || strcmp(name, "--day") == 0) {
        options->one = strcmp(name, "--seed") == 0;
        options->day = !options->one;
        return read_number(value, &options->seeds.first);
    }
    *took_value = false;
    options->seeds.digests = options->seeds.digests || strcmp(name, "--digests") == 0;
    options->shrinks = options->shrinks && strcmp(name, "--no-shrink") != 0;
    return strcmp(name, "--digests") == 0 || strcmp(name, "--no-shrink") == 0;
}

static void print_broken(uint64_t seed, const struct outcome_of_run *outcome)
{
    printf("seed %llu, step %llu: %s: %s\n", (unsigned long long)seed, (unsigned long long)outcome->step,
           outcome->broken, outcome->detail);
}

/* A failing run in its shortest form: how to play it again, and what happens in it. */
static void print_shrunk(const struct run *run, const struct outcome_of_run *outcome)
{
    struct shrunk shrunk = shrink(run, outcome);
    char *drop = shrunk_drop_text(&shrunk);
    struct trace trace = trace_to(stdout);
    printf("\nshrunk to %llu steps: simulate --seed %llu --steps %llu%s%s\n", (unsigned long long)shrunk.kept,
           (unsigned long long)run->seed, (unsigned long long)shrunk.run.steps, drop != NULL ? " --drop " : "",
           drop != NULL ? drop : "");
    (void)run_once(&shrunk.run, &trace);
    free(drop);
    shrunk_clear(&shrunk);
}

static int run_one(const struct options *options)
{
    struct trace trace = trace_to(stdout);
    struct run run = {.seed = options->seeds.first, .steps = options->seeds.steps};
    bool *dropped = NULL;
    if (options->drop != NULL && (dropped = drop_read(options->drop, run.steps)) == NULL) {
        fprintf(stderr, "simulate: --drop %s does not name steps of a run of %llu\n", options->drop,
                (unsigned long long)run.steps);
        return 2;
    }
    run.dropped = dropped;
    struct outcome_of_run outcome = run_once(&run, &trace);
    if (outcome.broken != NULL) {
        print_broken(run.seed, &outcome);
    } else {
        printf("seed %llu: %llu calls, %llu tickets, all invariants hold\n", (unsigned long long)run.seed,
               (unsigned long long)outcome.calls, (unsigned long long)outcome.tickets);
    }
    free(dropped);
    return outcome.broken != NULL ? 1 : 0;
}

static double seconds_since(const struct timespec *begun)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begun->tv_sec) + (double)(now.tv_nsec - begun->tv_nsec) / 1e9;
}

static int run_many(const struct options *options)
{
    const struct seeds *seeds = &options->seeds;
    struct timespec begun;
    struct tally tally;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    if (!workers_run(seeds, &tally)) {
        return 1;
    }
    if (tally.broken) {
        struct run run = {.seed = tally.seed, .steps = seeds->steps};
        print_broken(tally.seed, &tally.outcome);
        if (options->shrinks) {
            print_shrunk(&run, &tally.outcome);
        }
        return 1;
    }
    printf("seeds %llu..%llu: %llu runs of %llu steps, %llu calls, %llu tickets, %.0f days of virtual time in %.1f s; "
           "all invariants hold\n",
           (unsigned long long)seeds->first, (unsigned long long)seeds->last, (unsigned long long)tally.runs,
           (unsigned long long)seeds->steps, (unsigned long long)tally.calls, (unsigned long long)tally.tickets,
           (double)tally.virtual_ms / 86400000.0, seconds_since(&begun));
    return 0;
}

int main(int count, char **arguments)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct options options = {
        .seeds = {.first = 1, .last = 1000, .steps = 200, .workers = processors > 0 ? (unsigned)processors : 1},
        .shrinks = true};
    for (int i = 1; i < count; i++) {
        bool took_value;
        if (!read_option(&options, arguments[i], i + 1 < count ? arguments[i + 1] : NULL, &took_value)) {
            fputs(usage, stderr);
            return 2;
        }
        i += took_value ? 1 : 0;
    }
    if (options.day) {
        return run_a_day(options.seeds.first, stdout) ? 0 : 1;
    }
    return options.one ? run_one(&options) : run_many(&options);
}
