#include "tests/support/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The budgets of terminal.md: vindecode beside two programs that do as little as possible and two that people use, in
 * the same harness and the same run, one start of each in turn. Prints a table (Markdown). With --assert the exit
 * status says whether all budgets hold; without, only those that are no times (bytes, wake-ups, memory), because a busy
 * machine says little about times. A Debian program that is not installed is left out. */

enum { RUNS = 15, KEYS = 17, IDLE_MS = 2000, COUNTDOWN_MS = 5000, LIMIT_MS = 5000 };

enum { VINDECODE, LINKED, BARE, NANO, HTOP, PROGRAM_COUNT };

struct program {
    const char *name;
    const char *arguments[4];
    const char *ready; /* stands on its first frame */
    const char *open;  /* the keys that lead to where characters are typed */
    const char *leave;
};

static const struct program programs[PROGRAM_COUNT] = {
    [VINDECODE] = {"vindecode", {VINDECODE_PROGRAM, "--upstream=http://127.0.0.1:9/api", NULL}, "F10", "", "\033[21~"},
    [LINKED] = {"linked curses", {LINKED_PROGRAM, NULL}, "F10", "", "\033[21~"},
    [BARE] = {"bare curses", {BARE_PROGRAM, NULL}, "F10", "", "\033[21~"},
    [NANO] = {"nano", {"/usr/bin/nano", "--ignorercfiles", NULL}, "^X Exit", "", "\030n"},
    [HTOP] = {"htop", {"/usr/bin/htop", NULL}, "F10", "/", "\033\033[21~"},
};

struct samples {
    double values[RUNS * KEYS];
    size_t count;
};

struct second {
    double bytes, wake_ups, cpu_ms;
};

struct measured {
    struct samples first_frame_ms, key_ms, key_bytes;
    struct second rest;
    long peak_kib; /* 0: not measured */
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

/* What a second costs while nobody touches the keys. */
static struct second watch(struct terminal *terminal, int ms)
{
    double before_ms, after_ms;
    long before, after;
    terminal_effort(terminal, &before_ms, &before);
    double bytes = (double)terminal_watch(terminal, ms);
    terminal_effort(terminal, &after_ms, &after);
    return (struct second){bytes * 1000 / ms, (double)(after - before) * 1000 / ms, (after_ms - before_ms) * 1000 / ms};
}

static struct terminal *start(const char *const *arguments, const char *ready)
{
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    if (!terminal_wait_text(terminal, ready, LIMIT_MS)) {
        exit(1);
    }
    terminal_settle(terminal, 50);
    return terminal;
}

/* One start, all its keys, and in the last run a rest. */
static void measure(const struct program *program, bool last, struct measured *out)
{
    double from = terminal_clock_ms();
    struct terminal *terminal = start(program->arguments, program->ready);
    add(&out->first_frame_ms, terminal_last_output_ms(terminal) - from);
    terminal_send(terminal, program->open);
    terminal_settle(terminal, 50);
    press_keys(terminal, out);
    if (last) {
        out->rest = watch(terminal, IDLE_MS);
    }
    out->peak_kib = peak_kib(terminal);
    terminal_send(terminal, program->leave);
    int status;
    terminal_wait_exit(terminal, &status, LIMIT_MS);
    terminal_end(terminal);
}

/* The same keys while ten VINs of a list are under way, in as many calls as we ever have. */
static void measure_under_load(struct measured *out)
{
    char path[] = "/tmp/vindecode-bench-XXXXXX";
    const char *arguments[] = {VINDECODE_PROGRAM,
                               "--demo=" HANGING_SCENARIO,
                               "--no-batch",
                               "--concurrency=5",
                               "--rate=100/1",
                               "-f",
                               path,
                               NULL};
    FILE *list = fdopen(mkstemp(path), "w");
    if (list == NULL) {
        perror(path);
        exit(1);
    }
    for (int i = 0; i < 10; i++) {
        fprintf(list, "WBAVA33579A00000%d\n", i);
    }
    fclose(list);
    for (int run = 0; run < RUNS; run++) {
        struct terminal *terminal = start(arguments, "A000004       under way");
        terminal_send(terminal, "\033"); /* the list gives way to the field */
        terminal_settle(terminal, 50);
        press_keys(terminal, out);
        terminal_end(terminal);
    }
    unlink(path);
}

/* A wait that runs. */
static struct second count_down(void)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=" LONG_SCENARIO, NULL};
    struct terminal *terminal = start(arguments, "F10");
    terminal_send(terminal, "1HGCM82633A004352\r");
    terminal_wait_text(terminal, "Waiting", LIMIT_MS);
    terminal_watch(terminal, 1200);
    struct second second = watch(terminal, COUNTDOWN_MS);
    terminal_end(terminal);
    return second;
}

/* The table */

static bool times_hold = true, counts_hold = true;

/* One line of it: a number for each program that has one, and what vindecode's is held against. */
static void print_line(const char *what, const double values[PROGRAM_COUNT], const char *budget, bool holds)
{
    printf("| %s |", what);
    for (int i = 0; i < PROGRAM_COUNT; i++) {
        if (values[i] < 0) {
            printf(" |");
        } else {
            printf(" %.*f |", values[i] == 0 ? 0 : 2, values[i]);
        }
    }
    printf(" %s%s |\n", budget, *budget == '\0' ? "" : holds ? ": holds" : ": EXCEEDED");
}

/* A number of vindecode's that must not be larger than the budget. */
static void print_count(const char *what, const double values[PROGRAM_COUNT], double most)
{
    char budget[32];
    bool holds = values[VINDECODE] <= most;
    counts_hold = counts_hold && holds;
    snprintf(budget, sizeof budget, "at most %g", most);
    print_line(what, values, budget, holds);
}

/* A time of vindecode's that must not be larger than so many times that of another program. */
static void print_ratio(const char *what, const double values[PROGRAM_COUNT], int other, double against, double most)
{
    char budget[96];
    double ratio = against > 0 ? values[VINDECODE] / against : 0;
    bool holds = ratio <= most;
    times_hold = times_hold && holds;
    snprintf(budget, sizeof budget, "%.2f x %s, at most %.1f", ratio, programs[other].name, most);
    print_line(what, values, budget, holds);
}

static bool is_there(int program)
{
    return access(programs[program].arguments[0], X_OK) == 0;
}

/* A line's numbers: of each program the value of one member. */
#define FILL(values, expression)                                                                                       \
    for (int i = 0; i < PROGRAM_COUNT; i++) {                                                                          \
        struct measured *of = &measured[i];                                                                            \
        (values)[i] = of->peak_kib > 0 ? (expression) : -1;                                                            \
    }

/* Only vindecode's. */
#define FILL_OWN(values, value)                                                                                        \
    for (int i = 0; i < PROGRAM_COUNT; i++) {                                                                          \
        (values)[i] = i == VINDECODE ? (value) : -1;                                                                   \
    }

static void print_table(struct measured measured[PROGRAM_COUNT], struct measured *loaded, struct second counting)
{
    double values[PROGRAM_COUNT];
    printf("| 80x24, %d starts of each in turn |", RUNS);
    for (int i = 0; i < PROGRAM_COUNT; i++) {
        printf(" %s |", programs[i].name);
    }
    printf(" budget |\n|---|---|---|---|---|---|---|\n");
    FILL(values, quantile(&of->first_frame_ms, 50))
    print_ratio("first frame, median ms", values, LINKED, values[LINKED], 1.2);
    FILL(values, quantile(&of->key_ms, 50))
    print_ratio("key to frame, p50 ms", values, BARE, values[BARE], 1.5);
    double bare_p50 = values[BARE];
    FILL(values, quantile(&of->key_ms, 95))
    print_ratio("key to frame, p95 ms", values, BARE, values[BARE], 3);
    double bare_p95 = values[BARE];
    FILL_OWN(values, quantile(&loaded->key_ms, 50))
    print_ratio("the same with ten VINs under way, p50 ms", values, BARE, bare_p50, 1.5);
    FILL_OWN(values, quantile(&loaded->key_ms, 95))
    print_ratio("the same with ten VINs under way, p95 ms", values, BARE, bare_p95, 3);
    FILL(values, quantile(&of->key_bytes, 50))
    print_count("a typed character, median bytes", values, 60);
    FILL(values, of->rest.bytes)
    print_count("at rest, bytes a second", values, 0);
    FILL(values, of->rest.wake_ups)
    print_count("at rest, wake-ups a second", values, 0);
    FILL(values, of->rest.cpu_ms)
    print_count("at rest, CPU ms a second", values, 0);
    FILL_OWN(values, counting.bytes)
    print_count("counting down, bytes a second", values, 48);
    FILL_OWN(values, counting.wake_ups)
    print_count("counting down, wake-ups a second", values, 1.2);
    FILL(values, (double)of->peak_kib / 1024)
    print_count("peak resident memory, MiB", values, 16);
}

int main(int count, char **arguments)
{
    bool assert_times = count > 1 && strcmp(arguments[1], "--assert") == 0;
    static struct measured measured[PROGRAM_COUNT], loaded;
    for (size_t run = 0; run < RUNS; run++) {
        for (int i = 0; i < PROGRAM_COUNT; i++) {
            if (is_there(i)) {
                measure(&programs[i], run == RUNS - 1, &measured[i]);
            }
        }
    }
    measure_under_load(&loaded);
    print_table(measured, &loaded, count_down());
    return counts_hold && (times_hold || !assert_times) ? 0 : 1;
}
