#include "tests/support/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The budgets of terminal.md: vindecode beside two programs that do as little as possible, in the same harness and the
 * same run, one start of each in turn. Prints a table. With --assert the exit status says whether all budgets hold;
 * without, only those that are no times (bytes, wake-ups, memory), because a busy machine says little about times. */

enum { RUNS = 15, KEYS = 17, IDLE_MS = 2000, COUNTDOWN_MS = 5000, LIMIT_MS = 5000 };

enum { VINDECODE, BARE, LINKED, PROGRAM_COUNT };

struct program {
    const char *name;
    const char *arguments[4];
};

static const struct program programs[PROGRAM_COUNT] = {
    [VINDECODE] = {"vindecode", {VINDECODE_PROGRAM, "--upstream=http://127.0.0.1:9/api", NULL}},
    [BARE] = {"bare ncurses", {BARE_PROGRAM, NULL}},
    [LINKED] = {"linked ncurses", {LINKED_PROGRAM, NULL}},
};

struct samples {
    double values[RUNS * KEYS];
    size_t count;
};

struct measured {
    struct samples first_frame_ms, key_ms, key_bytes;
    double idle_bytes, idle_wake_ups, idle_cpu_ms;
    long peak_kib;
};

static int compare(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second ? 1 : 0;
}

/* The value below which `percent` of the samples lie. */
static double quantile(struct samples *samples, int percent)
{
    qsort(samples->values, samples->count, sizeof samples->values[0], compare);
    size_t at = samples->count * (size_t)percent / 100;
    return samples->count == 0 ? 0 : samples->values[at < samples->count ? at : samples->count - 1];
}

static void add(struct samples *samples, double value)
{
    if (samples->count < sizeof samples->values / sizeof samples->values[0]) {
        samples->values[samples->count++] = value;
    }
}

static long peak_kib(const struct terminal *terminal)
{
    char path[64], line[256];
    long peak = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)terminal_pid(terminal));
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "VmHWM: %ld", &peak) != 1) {
    }
    if (file != NULL) {
        fclose(file);
    }
    return peak;
}

static void press_keys(struct terminal *terminal, struct measured *out)
{
    static const char keys[] = "1HGCM82633A004352";
    for (size_t i = 0; i < KEYS; i++) {
        double from = terminal_clock_ms();
        terminal_send_bytes(terminal, &keys[i], 1);
        size_t bytes = terminal_settle(terminal, 15);
        add(&out->key_ms, terminal_last_output_ms(terminal) - from);
        add(&out->key_bytes, (double)bytes);
    }
}

static void rest(struct terminal *terminal, struct measured *out)
{
    double cpu_before, cpu_after;
    long wake_ups_before, wake_ups_after;
    terminal_effort(terminal, &cpu_before, &wake_ups_before);
    out->idle_bytes = (double)terminal_watch(terminal, IDLE_MS) * 1000 / IDLE_MS;
    terminal_effort(terminal, &cpu_after, &wake_ups_after);
    out->idle_wake_ups = (double)(wake_ups_after - wake_ups_before) * 1000 / IDLE_MS;
    out->idle_cpu_ms = (cpu_after - cpu_before) * 1000 / IDLE_MS;
}

/* One start, all its keys, and in the last run a rest. */
static void measure(const struct program *program, bool last, struct measured *out)
{
    double from = terminal_clock_ms();
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = program->arguments});
    if (!terminal_wait_text(terminal, "F10", LIMIT_MS)) {
        exit(1);
    }
    terminal_settle(terminal, 50);
    add(&out->first_frame_ms, terminal_last_output_ms(terminal) - from);
    press_keys(terminal, out);
    if (last) {
        rest(terminal, out);
    }
    out->peak_kib = peak_kib(terminal);
    terminal_send(terminal, "\033[21~");
    int status;
    terminal_wait_exit(terminal, &status, LIMIT_MS);
    terminal_end(terminal);
}

/* A wait that runs: bytes and wake-ups a second. */
static void count_down(double *bytes, double *wake_ups)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=" LONG_SCENARIO, NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    terminal_wait_text(terminal, "F10", LIMIT_MS);
    terminal_send(terminal, "1HGCM82633A004352\r");
    terminal_wait_text(terminal, "Waiting", LIMIT_MS);
    terminal_watch(terminal, 1200);
    double cpu_ms;
    long before, after;
    terminal_effort(terminal, &cpu_ms, &before);
    *bytes = (double)terminal_watch(terminal, COUNTDOWN_MS) * 1000 / COUNTDOWN_MS;
    terminal_effort(terminal, &cpu_ms, &after);
    *wake_ups = (double)(after - before) * 1000 / COUNTDOWN_MS;
    terminal_end(terminal);
}

/* The table */

static bool times_hold = true, counts_hold = true;

static void print_value(const char *what, double value, double budget)
{
    bool holds = value <= budget;
    counts_hold = counts_hold && holds;
    printf("%-34s %10.2f %38s %6.2f   %s\n", what, value, "at most", budget, holds ? "holds" : "EXCEEDED");
}

static void print_ratio(const char *what, double value, const char *against, double other, double budget)
{
    double ratio = other > 0 ? value / other : 0;
    bool holds = ratio <= budget;
    times_hold = times_hold && holds;
    printf("%-34s %10.2f %-15s %10.2f   ratio %4.2f %6.2f   %s\n", what, value, against, other, ratio, budget,
           holds ? "holds" : "EXCEEDED");
}

int main(int count, char **arguments)
{
    bool assert_times = count > 1 && strcmp(arguments[1], "--assert") == 0;
    static struct measured measured[PROGRAM_COUNT];
    for (size_t run = 0; run < RUNS; run++) {
        for (size_t i = 0; i < PROGRAM_COUNT; i++) {
            measure(&programs[i], run == RUNS - 1, &measured[i]);
        }
    }
    double bytes, wake_ups;
    count_down(&bytes, &wake_ups);

    struct measured *own = &measured[VINDECODE], *bare = &measured[BARE], *linked = &measured[LINKED];
    printf("%-34s %10s %-15s %10s   %10s %6s\n", "80x24, 15 starts of each in turn", "vindecode", "beside", "", "",
           "budget");
    print_ratio("first frame, median ms", quantile(&own->first_frame_ms, 50), programs[LINKED].name,
                quantile(&linked->first_frame_ms, 50), 1.2);
    printf("%-34s %10s %-15s %10.2f\n", "", "", programs[BARE].name, quantile(&bare->first_frame_ms, 50));
    print_ratio("key to frame, p50 ms", quantile(&own->key_ms, 50), programs[BARE].name, quantile(&bare->key_ms, 50),
                1.5);
    print_ratio("key to frame, p95 ms", quantile(&own->key_ms, 95), programs[BARE].name, quantile(&bare->key_ms, 95),
                3);
    print_value("bytes of a typed character, median", quantile(&own->key_bytes, 50), 60);
    print_value("at rest, bytes a second", own->idle_bytes, 0);
    print_value("at rest, wake-ups a second", own->idle_wake_ups, 0);
    print_value("at rest, CPU ms a second", own->idle_cpu_ms, 0);
    print_value("counting down, bytes a second", bytes, 48);
    print_value("counting down, wake-ups a second", wake_ups, 1.2);
    print_value("peak resident memory, MiB", (double)own->peak_kib / 1024, 16);
    return counts_hold && (times_hold || !assert_times) ? 0 : 1;
}
