#include "core/base/clock.h"

#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/timerfd.h>
#endif

static int64_t milliseconds(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Reads the monotonic clock and says which one it is: a kernel may lack CLOCK_BOOTTIME although the header has it. */
static clockid_t read_monotonic(struct timespec *time)
{
#ifdef CLOCK_BOOTTIME
    if (clock_gettime(CLOCK_BOOTTIME, time) == 0) {
        return CLOCK_BOOTTIME;
    }
#endif
    clock_gettime(CLOCK_MONOTONIC, time);
    return CLOCK_MONOTONIC;
}

monotime clock_now(void)
{
    struct timespec time = {0};
    read_monotonic(&time);
    return milliseconds(time);
}

walltime clock_wall(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_REALTIME, &time);
    return milliseconds(time);
}

walltime clock_wall_at(int64_t *ahead_ms, monotime now)
{
    enum { SET_MS = 500 };
    int64_t found_ms = clock_wall() - now;
    if (found_ms - *ahead_ms > SET_MS || found_ms - *ahead_ms < -SET_MS) {
        *ahead_ms = found_ms;
    }
    return now + *ahead_ms;
}

#ifdef __linux__

int clock_alarm_open(void)
{
    struct timespec unused;
    return timerfd_create(read_monotonic(&unused), TFD_CLOEXEC | TFD_NONBLOCK);
}

void clock_alarm_set(int alarm, monotime at)
{
    if (alarm < 0) {
        return;
    }
    struct itimerspec setting = {0}; /* all zero turns the timer off */
    if (at != MONOTIME_NEVER) {
        /* A moment in the past rings at once; the clock's own zero would turn the timer off. */
        monotime moment = at < 1 ? 1 : at;
        setting.it_value.tv_sec = (time_t)(moment / 1000);
        setting.it_value.tv_nsec = (long)(moment % 1000) * 1000000;
    }
    timerfd_settime(alarm, TFD_TIMER_ABSTIME, &setting, NULL);
}

#else

int clock_alarm_open(void)
{
    return -1;
}

void clock_alarm_set(int alarm, monotime at)
{
    (void)alarm;
    (void)at;
}

#endif
