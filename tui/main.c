#include "core/base/random.h"
#include "tui/app.h"
#include "tui/demo/demo.h"
#include "tui/errands.h"
#include "tui/frame.h"
#include "tui/headless.h"
#include "tui/loop.h"
#include "tui/options.h"
#include "tui/plain.h"
#include "tui/screen.h"
#include "tui/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_USAGE = 2 };

/* What the program finds out once, before anything starts. */
struct setting {
    int this_year;
    int64_t utc_offset_ms;
    char host[256]; /* for texts */
    int signals;
};

/* The program ends after this: a signal has nothing to wait for when standard error takes nothing. */
static int complain(const char *what)
{
    char clean[4096]; /* it may name a file, a scenario or an option as it was given */
    (void)frame_clean(what, strlen(what), true, clean, sizeof clean);
    signals_let_through(STDERR_FILENO);
    fprintf(stderr, "vindecode: %s\n", clean);
    return STATUS_USAGE;
}

/* A standard descriptor that is closed would become one of ours and be read or written as such. What takes its place
 * fails when it is used. */
static void fill_standard_descriptors(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0) {
            (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the lowest that is free */
        }
    }
}

/* Local time's distance from UTC, and the year it is here. */
static void read_calendar(struct setting *setting)
{
    time_t now = time(NULL);
    struct tm local, utc;
    if (localtime_r(&now, &local) == NULL || gmtime_r(&now, &utc) == NULL) {
        setting->this_year = 2026;
        return;
    }
    setting->this_year = local.tm_year + 1900;
    utc.tm_isdst = local.tm_isdst;
    time_t as_if_local = mktime(&utc);
    setting->utc_offset_ms = as_if_local == (time_t)-1 ? 0 : ((int64_t)now - (int64_t)as_if_local) * 1000;
}

/* "NHTSA" when the upstream is NHTSA, else the host's name without a user's name and password. */
static void read_host(const char *upstream, struct setting *setting)
{
    const char *start = strstr(upstream, "://");
    start = start ? start + 3 : upstream;
    size_t length = strcspn(start, "/?#");
    for (size_t i = 0; i < length; i++) {
        if (start[i] == '@') {
            start += i + 1;
            length -= i + 1;
            i = 0;
        }
    }
    frame_clean(start, length, false, setting->host, sizeof setting->host);
    if (strcmp(setting->host, "vpic.nhtsa.dot.gov") == 0) {
        snprintf(setting->host, sizeof setting->host, "NHTSA");
    }
}

static struct network_options network_options(const struct options *options, const char *base)
{
    struct network_options network = {.engine = engine_options_default(), .seed = random_seed_from_system()};
    network.engine.policy = options->policy;
    network.engine.base = base;
    network.engine.cache = !options->no_cache;
    network.engine.group_calls = !options->no_batch;
    network.engine.no_wait = options->no_wait;
    network.engine.record = options->log != NULL;
    return network;
}

static struct app *make_app(const struct options *options, const struct setting *setting, const struct demo *demo)
{
    struct app_options app_options = {
        .host = setting->host,
        .demo = demo ? demo_scenario(demo) : NULL,
        .this_year = setting->this_year,
        .model_year = options->year,
        .gate_max_ms = options->policy.gate_max_ms,
        .deadline_ms = options->policy.profile[PROFILE_INTERACTIVE].deadline_ms,
        .utc_offset_ms = setting->utc_offset_ms,
        .scan_end_tab = options->scan_end_tab,
        .mouse = options->mouse,
    };
    return app_new(&app_options);
}

/* One VIN is sent at once if it is Ready; several, or a file, are a list that starts. */
static bool begin_on_screen(const struct options *options, struct app *app, struct errands *errands, char *why,
                            size_t size)
{
    if (options->file != NULL || options->vin_count > 1) {
        return errands_open_list(errands, options->vins, options->vin_count, options->file, why, size);
    }
    if (options->vin_count == 1) {
        app_set_text(app, options->vins[0], true, clock_now());
    }
    return true;
}

/* What a run with a person at it needs. */
struct session {
    const struct options *options;
    const struct setting *setting;
    struct demo *demo; /* NULL: none */
    const struct network_options *network;
    struct report report;
};

static int run_screen(struct session *session)
{
    const struct options *options = session->options;
    const struct setting *setting = session->setting;
    static const enum depth depths[] = {[COLOR_AUTO] = DEPTH_DIRECT,
                                        [COLOR_NEVER] = DEPTH_NONE,
                                        [COLOR_16] = DEPTH_16,
                                        [COLOR_256] = DEPTH_256,
                                        [COLOR_TRUE] = DEPTH_DIRECT};
    char why[512];
    struct theme theme;
    if (!theme_load(theme_choose(options->theme, getenv("COLORFGBG")), &theme, why, sizeof why)) {
        return complain(why);
    }
    struct screen_options screen_options = {.ascii = options->ascii, .theme = &theme, .most = depths[options->color]};
    screen_options.direct = screen_options.most == DEPTH_DIRECT &&
                            theme_wants_direct(&theme, options->color == COLOR_TRUE, getenv("COLORTERM"));
    signals_hold();
    struct screen *screen = screen_open(&screen_options, why, sizeof why);
    if (screen == NULL) {
        return complain(why);
    }
    struct app *app = make_app(options, setting, session->demo);
    struct errands_options errands_options = {.app = app,
                                              .screen = screen,
                                              .demo = session->demo,
                                              .host = setting->host,
                                              .this_year = setting->this_year,
                                              .utc_offset_ms = setting->utc_offset_ms};
    struct errands *errands = errands_new(&errands_options);
    int status = STATUS_USAGE;
    if (begin_on_screen(options, app, errands, why, sizeof why)) {
        if (options->mouse) {
            screen_mouse(screen, true);
        }
        status = loop_run(screen, app, errands, &session->report, session->network, setting->signals, options->bell);
    } else {
        screen_close(screen, false);
        complain(why);
    }
    errands_free(errands);
    app_free(app);
    return status;
}

static int run_plain(struct session *session)
{
    const struct options *options = session->options;
    const struct setting *setting = session->setting;
    struct plain_options plain = {.app = make_app(options, setting, session->demo),
                                  .network = session->network,
                                  .report = &session->report,
                                  .context = {.host = setting->host,
                                              .utc_offset_ms = setting->utc_offset_ms,
                                              .fields = &options->fields,
                                              .show_empty = options->empty_fields == EMPTY_FIELDS_SHOWN},
                                  .signals = setting->signals,
                                  .first = options->vin_count > 0 ? options->vins[0] : NULL,
                                  .ascii = options->ascii,
                                  .bell = options->bell};
    signals_hold();
    int status = plain_run(&plain);
    app_free(plain.app);
    return status;
}

/* How this call of the program speaks: in person, on a screen or, with one VIN at most, in lines; or without. */
enum manner { MANNER_SCREEN, MANNER_PLAIN, MANNER_HEADLESS };

static enum manner find_manner(const struct options *options)
{
    bool in_person = options->output == OUTPUT_DEFAULT && options->output_file == NULL && options->resume == NULL;
    bool list = options->file != NULL || options->vin_count > 1;
    bool typed_list = options->file != NULL && strcmp(options->file, "-") == 0;
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (in_person && options->plain && !list) {
        return MANNER_PLAIN;
    }
    return in_person && !options->plain && terminal && !typed_list ? MANNER_SCREEN : MANNER_HEADLESS;
}

/* The log and the metrics are open before the screen is: what is wrong with them is said on a whole terminal. */
static int run_in_person(struct session *session, enum manner manner)
{
    char why[512];
    if (!report_open(&session->report, session->options, session->setting->host, clock_now(), why, sizeof why)) {
        return complain(why);
    }
    int status = manner == MANNER_SCREEN ? run_screen(session) : run_plain(session);
    signals_let_through(STDERR_FILENO);
    report_close(&session->report, clock_now());
    return status;
}

static int decode(const struct options *options, struct setting *setting)
{
    enum manner manner = find_manner(options);
    if (manner == MANNER_HEADLESS && options->vin_count == 0 && options->file == NULL) {
        return complain(options->output != OUTPUT_DEFAULT
                            ? "nothing to decode: give a VIN, or -f FILE (\"-\" is standard input)"
                        : isatty(STDIN_FILENO) ? "standard output is no terminal: give a VIN, or -f FILE"
                                               : "standard input is no terminal: give a VIN, or -f FILE");
    }
    char why[512];
    struct demo *demo = options->demo ? demo_start(options->demo, 0, why, sizeof why) : NULL;
    if (options->demo != NULL && demo == NULL) {
        return complain(why);
    }
    const char *base = demo ? demo_base(demo) : options->upstream;
    if (demo != NULL) {
        snprintf(setting->host, sizeof setting->host, "NHTSA");
    } else {
        read_host(base, setting);
    }
    struct network_options network = network_options(options, base);
    struct session session = {.options = options, .setting = setting, .demo = demo, .network = &network};
    int status;
    if (manner == MANNER_HEADLESS) {
        status = headless_run(options, &network, setting->host, setting->utc_offset_ms, setting->this_year,
                              setting->signals);
    } else {
        status = run_in_person(&session, manner);
    }
    if (demo != NULL) {
        demo_stop(demo);
    }
    return status;
}

/* The exit status when all that was asked for has been printed. */
static int printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return 0;
    }
    if (errno == EPIPE) {
        return 128 + SIGPIPE;
    }
    fprintf(stderr, "vindecode: cannot write to standard output: %s\n", strerror(errno));
    return 1;
}

static int list_fields(void)
{
    for (size_t i = 0; i < catalogue_count(); i++) {
        printf("%-40s %s\n", catalogue_at(i)->name, catalogue_at(i)->group);
    }
    return printed();
}

static int list_scenarios(void)
{
    const char *name, *description;
    for (size_t i = 0; demo_list(i, &name, &description); i++) {
        printf("%-14s %s\n", name, description);
    }
    return printed();
}

/* What is asked for instead of decoding, or decoding. */
static int carry_out(const struct options *options, struct setting *setting)
{
    if (options->help != HELP_NONE) {
        options_help(options->help);
        return printed();
    }
    if (options->version) {
        printf("vindecode " VINDECODE_VERSION "\n");
        return printed();
    }
    if (options->demo_list) {
        return list_scenarios();
    }
    if (options->fields_list) {
        return list_fields();
    }
    if (options->serve) {
        return demo_serve(options->demo ? options->demo : "calm", options->serve_port);
    }
    if (setting->signals < 0) {
        fprintf(stderr, "vindecode: the system gives no descriptor for signals\n");
        return 1;
    }
    return decode(options, setting);
}

int main(int argc, char **argv)
{
    struct setting setting = {0};
    struct options options;
    char why[512];
    fill_standard_descriptors();
    setting.signals = signals_open();
    read_calendar(&setting);
    bool good = options_read(argc, argv, setting.this_year, &options, why, sizeof why);
    int status = good ? carry_out(&options, &setting) : complain(why);
    options_clear(&options);
    return status;
}
