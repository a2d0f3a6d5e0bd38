#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test program is a table of named tests and UNIT_MAIN. */
struct unit_test {
    const char *name;
    void (*run)(void);
};

/* Checks that print what they found. */
#define CHECK_INT(found, wanted)                                                                                       \
    do {                                                                                                               \
        long long found_ = (long long)(found), wanted_ = (long long)(wanted);                                          \
        if (found_ != wanted_) {                                                                                       \
            printf("\n%s:%d: %s is %lld, not %lld ", __FILE__, __LINE__, #found, found_, wanted_);                     \
        }                                                                                                              \
        CU_ASSERT_EQUAL(found_, wanted_);                                                                              \
    } while (0)

#define CHECK_TEXT(found, wanted)                                                                                      \
    do {                                                                                                               \
        const char *found_ = (found), *wanted_ = (wanted);                                                             \
        if (found_ == NULL || strcmp(found_, wanted_) != 0) {                                                          \
            printf("\n%s:%d: %s is \"%s\", not \"%s\" ", __FILE__, __LINE__, #found, found_ ? found_ : "(null)",       \
                   wanted_);                                                                                           \
        }                                                                                                              \
        CU_ASSERT_TRUE(found_ != NULL && strcmp(found_, wanted_) == 0);                                                \
    } while (0)

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        int holds_ = (condition) ? 1 : 0;                                                                              \
        if (!holds_) {                                                                                                 \
            printf("\n%s:%d: not so: %s ", __FILE__, __LINE__, #condition);                                            \
        }                                                                                                              \
        CU_ASSERT_TRUE(holds_);                                                                                        \
    } while (0)

static inline int unit_run(const char *suite_name, const struct unit_test *tests, size_t count)
{
    if (CU_initialize_registry() != CUE_SUCCESS) {
        return 1;
    }
    CU_pSuite suite = CU_add_suite(suite_name, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        if (suite == NULL || CU_add_test(suite, tests[i].name, tests[i].run) == NULL) {
            return 1;
        }
    }
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures() + CU_get_number_of_tests_failed();
    CU_cleanup_registry();
    return failed == 0 ? 0 : 1;
}

#define UNIT_MAIN(suite, tests)                                                                                        \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        return unit_run(suite, tests, sizeof(tests) / sizeof((tests)[0]));                                             \
    }

#endif
