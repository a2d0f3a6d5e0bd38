#ifndef TESTS_SUPPORT_SANITIZED_H
#define TESTS_SUPPORT_SANITIZED_H

#include <stdbool.h>
#include <stdio.h>

/* Under a sanitizer everything is tested, but not everything can be measured. Tests and program are built alike, so
 * what holds for the one holds for the other. The same for scripts is in tests/e2e/cli_support.py. */

#if defined(__SANITIZE_THREAD__)
#define SANITIZED_THREADS true
#define SANITIZED true
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZED_THREADS true
#define SANITIZED true
#elif __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif
#ifndef SANITIZED_THREADS
#define SANITIZED_THREADS false
#endif

/* Whether rest, wake-ups, processor time and memory are the program's own: sanitizers have a thread that wakes and take
 * memory for themselves. When they are not, the output says that `what` is left out. */
static inline bool sanitized_measures(const char *what)
{
    if (SANITIZED) {
        printf("(not measured under a sanitizer: %s) ", what);
    }
    return !SANITIZED;
}

/* Whether a signal breaks off a write that blocks: the thread sanitizer's run-time keeps signals back until the call
 * has returned. When it does not, the output says so. */
static inline bool sanitized_breaks_off(void)
{
    if (SANITIZED_THREADS) {
        printf("(left out under the thread sanitizer, which keeps signals back while a write blocks) ");
    }
    return !SANITIZED_THREADS;
}

#endif
