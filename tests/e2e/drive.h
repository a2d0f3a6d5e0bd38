#ifndef TESTS_E2E_DRIVE_H
#define TESTS_E2E_DRIVE_H

#include "tests/support/sanitized.h"
#include "tests/support/terminal.h"
#include "tests/unit/unit.h"

/* The real program, driven as a person would. VINDECODE_PROGRAM and E2E_FOLDER come from CMake. */

#define GOOD_VIN "1HGCM82633A004352"
enum { VIN_TYPED = sizeof GOOD_VIN - 1 };

/* What a test may change about the start. */
struct drive {
    int rows, columns; /* 0, 0: 24 x 80 */
    const char *demo;  /* "calm" unless given; a file of tests/e2e when it ends in ".json" */
    const char *const *environment;
    bool ignore_hangup;
};

/* Starts vindecode in the demo and waits for its first frame. NULL when it did not come; that has been counted as a
 * failure. */
struct terminal *drive_start(const struct drive *drive);
struct terminal *drive_start_calm(void);

/* Checks that the program ends within `limit_ms` with exit status `status`, that nothing is left behind and that the
 * terminal was asked no question; then frees. */
void drive_expect_exit(struct terminal *terminal, int status, int limit_ms);

/* The same after a signal that kills. */
void drive_expect_death(struct terminal *terminal, int number, int limit_ms);

/* Leaves by key and expects a clean end. */
void drive_leave(struct terminal *terminal);

#endif
