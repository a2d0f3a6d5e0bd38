#include "simulation/workers.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every step-th seed, until one breaks an invariant. */
static struct tally run_share(const struct seeds *seeds, uint64_t first, uint64_t step)
{
    struct tally tally = {0};
    for (uint64_t seed = first; seed <= seeds->last && !tally.broken; seed += step) {
        struct trace trace = seeds->digests ? trace_digest() : trace_none();
        struct run run = {.seed = seed, .steps = seeds->steps};
        struct outcome_of_run outcome = run_once(&run, &trace);
        tally.runs++;
        tally.calls += outcome.calls;
        tally.tickets += outcome.tickets;
        tally.virtual_ms += outcome.lasted_ms;
        if (seeds->digests) {
            printf("seed %llu: %016llx, %llu lines\n", (unsigned long long)seed, (unsigned long long)trace.digest,
                   (unsigned long long)trace.lines);
        }
        if (outcome.broken != NULL) {
            tally.broken = true;
            tally.seed = seed;
            tally.outcome = outcome;
        }
    }
    return tally;
}

static void add(struct tally *all, const struct tally *one)
{
    all->runs += one->runs;
    all->calls += one->calls;
    all->tickets += one->tickets;
    all->virtual_ms += one->virtual_ms;
    if (one->broken && (!all->broken || one->seed < all->seed)) {
        all->broken = true;
        all->seed = one->seed;
        all->outcome = one->outcome;
    }
}

static bool write_all(int to, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t wrote = write(to, at, length);
        if (wrote <= 0) {
            return false;
        }
        at += wrote;
        length -= (size_t)wrote;
    }
    return true;
}

static bool read_all(int from, void *bytes, size_t length)
{
    char *at = bytes;
    while (length > 0) {
        ssize_t got = read(from, at, length);
        if (got <= 0) {
            return false;
        }
        at += got;
        length -= (size_t)got;
    }
    return true;
}

/* Both ends are the same program, so the tally travels as its bytes; its pointers point to constants. */
bool workers_run(const struct seeds *seeds, struct tally *tally)
{
    enum { WORKERS_MAX = 64 };
    unsigned workers = seeds->workers < WORKERS_MAX ? seeds->workers : WORKERS_MAX;
    int ends[WORKERS_MAX];
    pid_t children[WORKERS_MAX];
    bool all = true;
    *tally = (struct tally){0};
    if (workers <= 1 || seeds->digests) {
        *tally = run_share(seeds, seeds->first, 1);
        return true;
    }
    fflush(NULL);
    for (unsigned i = 0; i < workers; i++) {
        int pipe_ends[2];
        if (pipe(pipe_ends) != 0 || (children[i] = fork()) < 0) {
            return false;
        }
        if (children[i] == 0) {
            struct tally own = run_share(seeds, seeds->first + i, workers);
            _exit(write_all(pipe_ends[1], &own, sizeof own) ? 0 : 1);
        }
        close(pipe_ends[1]);
        ends[i] = pipe_ends[0];
    }
    for (unsigned i = 0; i < workers; i++) {
        struct tally own;
        int status;
        bool came = read_all(ends[i], &own, sizeof own);
        close(ends[i]);
        waitpid(children[i], &status, 0);
        if (came) {
            add(tally, &own);
        } else {
            fprintf(stderr, "simulate: a process ended with status %d\n", status);
            all = false;
        }
    }
    return all;
}
