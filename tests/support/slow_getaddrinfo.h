#ifndef TESTS_SUPPORT_SLOW_GETADDRINFO_H
#define TESTS_SUPPORT_SLOW_GETADDRINFO_H

/*
 * A getaddrinfo() that is slow, or fails, for every name that is not a numeric address. As a preloaded library it does
 * what the environment says when the program starts:
 *
 *     SLOW_GETADDRINFO_MS=5000      sleep so long first
 *     SLOW_GETADDRINFO_ERROR=again  then fail as if no name server had answered; "noname": as if the name did not exist
 *
 * A test that links the source into itself can also set it while it runs; any thread.
 */
enum slow_getaddrinfo_error { SLOW_GETADDRINFO_ASK, SLOW_GETADDRINFO_AGAIN, SLOW_GETADDRINFO_NONAME };

/* The next `prompt` names do not have to wait. */
void slow_getaddrinfo_set(int prompt, int milliseconds, enum slow_getaddrinfo_error error);

/* How many names have been asked for so far. */
int slow_getaddrinfo_count(void);

#endif
