#include "tui/demo/demo.h"
#include "tui/demo/watch.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

enum { WHY_SIZE = 512, EXIT_USAGE = 2 };

/* One line for a call; stdio keeps the lines of different threads whole. */
static void print_call(void *context, const struct demo_event *event)
{
    static const char *const words[] = {
        [VERDICT_ALLOWED] = "allowed", [VERDICT_REJECTED] = "rejected", [VERDICT_EARLY] = "early"};
    (void)context;
    printf("%" PRId64 " %s %d %s %s\n", event->at_ms, words[event->verdict], event->status, event->method, event->path);
}

int demo_serve(const char *scenario, uint16_t port)
{
    char why[WHY_SIZE];
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGINT);
    sigaddset(&end, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &end, NULL);
    signal(SIGPIPE, SIG_IGN); /* whoever reads the lines may go; the upstream stays */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    struct demo *demo = demo_start_watched(scenario, port, print_call, NULL, why, sizeof why);
    if (demo == NULL) {
        fprintf(stderr, "vindecode: %s\n", why);
        return EXIT_USAGE;
    }
    printf("%s\n", demo_base(demo));
    fflush(stdout);
    int signal_number;
    sigwait(&end, &signal_number);
    demo_halt(demo);
    struct demo_counts counts = demo_counts(demo);
    printf("calls %" PRIu64 " allowed %" PRIu64 " rejected %" PRIu64 " early %" PRIu64 " span_ms %" PRId64 "\n",
           counts.calls, counts.allowed, counts.rejected, counts.early, counts.last_ms - counts.first_ms);
    fflush(stdout);
    demo_stop(demo);
    return 0;
}
