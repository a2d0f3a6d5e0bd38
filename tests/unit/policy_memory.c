/* core/policy allocates nothing: the linker sends every malloc, calloc and realloc of this program here (policy.cmake).
 */
#include "unit.h"

#include "core/policy/circuit_breaker.h"
#include "core/policy/host_gate.h"
#include "core/policy/latency_window.h"
#include "core/policy/pacing.h"
#include "core/policy/token_bucket.h"
#include "policy_support.h"

/* Volatile, for compilers take it that malloc changes no variable of ours. */
static volatile size_t allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    allocations++;
    return __real_realloc(block, size);
}

static void the_count_works(void)
{
    size_t before = allocations;
    void *volatile block = malloc(3);
    /* cppcheck-suppress memleakOnRealloc ; it is the counting that is tested */
    block = realloc(block, 4);
    free(block);
    block = calloc(1, 1);
    free(block);
    CHECK_INT(allocations - before, 3);
}

static void headers_and_plans(void)
{
    size_t before = allocations;
    struct quota quotas[] = {
        READ("RateLimit", "\"a\\\"b\";r=0;t=9, c;r=1;k=:YQ==:;g=%\"%c3%a9\", d;z=(", "Retry-After", "1, 2"),
        READ("RateLimit", "limit=5, remaining=0, reset=9;x, y=(1 2)", "RateLimit-Policy", "a;q=1"),
        READ("Date", "Sat, 14 Nov 2026 10:00:00 GMT", "X-RateLimit-Reset", "2026-11-14T11:00:00.5+01:00"),
        READ("X-Rate-Limit-Remaining", "0", "X-Rate-Limit-Limit", "9, 9;w=1", "Retry-After-Ms", "1.5"),
    };
    size_t plans = 0;
    for (size_t i = 0; i < sizeof quotas / sizeof quotas[0]; i++) {
        for (int outcome = 0; outcome < OUTCOME_COUNT; outcome++) {
            for (int status = 0; status < 610; status++) {
                struct plan_input input = answer(status, quotas[i]);
                input.outcome = (enum outcome)outcome;
                plans += plan_of(input).row != NULL;
            }
        }
    }
    size_t after = allocations;
    CHECK_INT(plans, 4 * OUTCOME_COUNT * 610);
    CHECK_INT(after - before, 0);
}

static void machines(void)
{
    size_t before = allocations;
    const struct policy *policy = &policy_default;
    struct circuit_breaker breaker;
    struct host_gate gate;
    struct latency_window window;
    struct token_bucket bucket;
    struct pacing pacing;
    struct quota quota = READ("RateLimit-Remaining", "4", "RateLimit-Reset", "5");
    circuit_breaker_init(&breaker, policy);
    host_gate_init(&gate);
    latency_window_init(&window, &policy->latency[CALL_SINGLE]);
    token_bucket_init(&bucket, 2, 1000, 5, 0);
    pacing_init(&pacing);
    for (uint64_t i = 1; i < 2000; i++) {
        monotime now = (monotime)i * 700;
        struct breaker_ticket ticket;
        if (circuit_breaker_start(&breaker, policy, i, i % 7, 4000, now, &ticket)) {
            circuit_breaker_end(&breaker, policy, &ticket, (enum breaker_outcome)(i % 3), 0.5, now);
        }
        if (host_gate_ask(&gate, policy, i, 4000, now)) {
            host_gate_done(&gate, i, now, i % 5 == 0, now);
            host_gate_cool_down(&gate, policy, now);
        }
        latency_window_push(&window, &policy->latency[CALL_SINGLE], (int64_t)i, LATENCY_OK, now);
        token_bucket_take(&bucket, now);
        pacing_learn(&pacing, &quota, 1, now, now);
        pacing_take(&pacing, now);
    }
    size_t after = allocations;
    CHECK_INT(window.count, 60);
    CHECK_INT(after - before, 0);
}

static const struct unit_test tests[] = {
    {"the count sees an allocation", the_count_works},
    {"headers and plans allocate nothing", headers_and_plans},
    {"state machines allocate nothing", machines},
};

UNIT_MAIN("policy: no allocation", tests)
