#include "tui/demo/demo.h"

#include "core/base/buffer.h"
#include "core/base/clock.h"
#include "core/base/memory.h"

#include "unit/unit.h"

#include <curl/curl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The demo over real HTTP on loopback. Scenarios that no embedded one plays are written to files of their own. */

struct reply {
    CURLcode code;
    long status, connects;
    curl_off_t length;
    char *type;
    struct buffer body;
};

static size_t take(char *data, size_t size, size_t count, void *context)
{
    buffer_put(context, data, size * count);
    return size * count;
}

static CURL *client(void)
{
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 30L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    return curl;
}

/* One call; `form` NULL is a GET. */
static void call(CURL *curl, const char *base, const char *path, const char *form, struct reply *out)
{
    char url[512];
    snprintf(url, sizeof url, "%s/vehicles/%s", base, path);
    *out = (struct reply){0};
    buffer_init(&out->body, 1 << 24);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &out->body);
    if (form != NULL) {
        curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, form);
    } else {
        curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    }
    out->code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &out->status);
    curl_easy_getinfo(curl, CURLINFO_NUM_CONNECTS, &out->connects);
    curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &out->length);
    curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &out->type);
}

static const char *header(CURL *curl, const char *name)
{
    struct curl_header *found;
    return curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK ? found->value : "(none)";
}

/* A demo that plays a scenario with these members. */
static struct demo *demo_of(const char *members)
{
    const char *folder = getenv("TMPDIR");
    char path[256], why[512] = "";
    snprintf(path, sizeof path, "%s/vindecode-scenario-XXXXXX", folder != NULL ? folder : "/tmp");
    int file = mkstemp(path);
    CHECK(file >= 0);
    dprintf(file, "{\"name\":\"test\",\"description\":\"d\",%s}", members);
    close(file);
    struct demo *demo = demo_start(path, 0, why, sizeof why);
    CHECK_TEXT(why, "");
    unlink(path);
    return demo;
}

#define SAMPLE "DecodeVinValues/1HGCM82633A004352?format=json"

/* Runs first, while there are no threads that a fork would lose. */
static void serve_prints_its_address_then_calls_then_a_summary(void)
{
    int lines[2];
    CHECK(pipe(lines) == 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(lines[1], STDOUT_FILENO);
        close(lines[0]);
        close(lines[1]);
        exit(demo_serve("forbidden", 0));
    }
    close(lines[1]);
    FILE *out = fdopen(lines[0], "r");
    char line[512], base[512] = "", path[256] = "";
    CHECK(fgets(base, sizeof base, out) != NULL);
    base[strcspn(base, "\n")] = '\0';
    CHECK(strncmp(base, "http://127.0.0.1:", 17) == 0 && strcmp(base + strlen(base) - 4, "/api") == 0);
    CURL *curl = client();
    struct reply reply;
    for (int i = 0; i < 2; i++) {
        call(curl, base, SAMPLE, NULL, &reply);
        CHECK_INT(reply.status, 403);
        CHECK(strstr(reply.body.data, "Access Denied") != NULL);
        buffer_clear(&reply.body);
        long long at = -1;
        int status = 0;
        CHECK(fgets(line, sizeof line, out) != NULL);
        CHECK_INT(sscanf(line, "%lld rejected %d GET %255s", &at, &status, path), 3);
        CHECK_INT(status, 403);
        CHECK(at >= 0);
        CHECK_TEXT(path, "/api/vehicles/DecodeVinValues/1HGCM82633A004352");
    }
    curl_easy_cleanup(curl);
    kill(child, SIGTERM);
    long long span = -1;
    CHECK(fgets(line, sizeof line, out) != NULL);
    CHECK_INT(sscanf(line, "calls 2 allowed 0 rejected 2 early 0 span_ms %lld", &span), 1);
    CHECK(span >= 0 && fgets(line, sizeof line, out) == NULL);
    fclose(out);
    int status = -1;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void calls_are_answered_on_one_connection(void)
{
    struct demo *demo = demo_of("\"phases\":[{\"answers\":[{}]}]");
    CURL *curl = client();
    struct reply reply;
    for (int i = 0; i < 3; i++) {
        call(curl, demo_base(demo), SAMPLE, NULL, &reply);
        CHECK_INT(reply.code, CURLE_OK);
        CHECK_INT(reply.status, 200);
        CHECK_INT(reply.connects, i == 0 ? 1 : 0);
        CHECK_INT(reply.length, reply.body.length);
        CHECK_TEXT(reply.type, "application/json; charset=utf-8");
        CHECK(strstr(reply.body.data, "\"Model\":\"Accord\"") != NULL);
        CHECK(strcmp(header(curl, "Date"), "(none)") != 0);
        buffer_clear(&reply.body);
    }
    call(curl, demo_base(demo), "DecodeVINValuesBatch/", "DATA=5UXWX7C5*BA%3B1HGCM82633A004352,2003&format=json",
         &reply);
    CHECK_INT(reply.status, 200);
    const char *first = strstr(reply.body.data, "\"VIN\":\"5UXWX7C5*BA\"");
    CHECK(first != NULL && strstr(first, "\"VIN\":\"1HGCM82633A004352\"") != NULL);
    buffer_clear(&reply.body);
    call(curl, demo_base(demo), "DecodeVINValuesBatch/?format=json", "DATA=5UXWX7C5*BA", &reply);
    CHECK_TEXT(reply.type, "application/xml; charset=utf-8");
    buffer_clear(&reply.body);
    call(curl, demo_base(demo), "DecodeVinValues/?format=json", NULL, &reply);
    CHECK_INT(reply.status, 404);
    CHECK(strncmp(reply.body.data, "{\"message\":\"No HTTP resource was found", 38) == 0);
    buffer_clear(&reply.body);
    call(curl, demo_base(demo), "DecodeVinValues/%00%0aX?format=json", NULL, &reply);
    CHECK(reply.status == 200 || reply.status == 404);
    buffer_clear(&reply.body);
    struct demo_counts counts = demo_counts(demo);
    CHECK_INT(counts.calls, 7);
    CHECK_INT(counts.allowed + counts.rejected, 7);
    CHECK_INT(counts.early, 0);
    CHECK(counts.last_ms >= counts.first_ms);
    curl_easy_cleanup(curl);
    demo_stop(demo);
}

static void a_quota_is_announced_and_enforced(void)
{
    struct demo *demo =
        demo_of("\"under_way_ms\":0,\"quota\":{\"calls\":2,\"window_ms\":60000,\"announce\":\"ratelimit\"},"
                "\"phases\":[{\"answers\":[{}]}]");
    CURL *curl = client();
    struct reply reply;
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_TEXT(header(curl, "RateLimit-Remaining"), "1");
    buffer_clear(&reply.body);
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_TEXT(header(curl, "RateLimit-Remaining"), "0");
    buffer_clear(&reply.body);
    for (monotime told = clock_now(); clock_now() == told;) {
        /* in the same millisecond it would not be later */
    }
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_INT(reply.status, 429);
    CHECK(atoi(header(curl, "Retry-After")) > 50);
    CHECK_TEXT(header(curl, "retry-after"), header(curl, "RateLimit-Reset"));
    buffer_clear(&reply.body);
    struct demo_counts counts = demo_counts(demo);
    CHECK_INT(counts.allowed, 2);
    CHECK_INT(counts.early, 1); /* it had been told that nothing remains */
    CHECK_INT(counts.rejected, 0);
    curl_easy_cleanup(curl);
    demo_stop(demo);
}

static void answers_can_break_off(void)
{
    struct demo *demo = demo_of("\"phases\":[{\"answers\":[{\"ending\":\"cut\"},{\"ending\":\"drop\"},"
                                "{\"ending\":\"close\"},{\"headers\":[[\"A\",\"1\"],[\"A\",\"2\"]]},"
                                "{\"body\":\"oversize\",\"bytes\":9000000}]}]");
    CURL *curl = client();
    struct reply reply;
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_INT(reply.code, CURLE_PARTIAL_FILE);
    CHECK(reply.body.length > 0 && (curl_off_t)reply.body.length < reply.length);
    buffer_clear(&reply.body);
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L); /* on a used connection curl tries again by itself */
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_INT(reply.code, CURLE_GOT_NOTHING);
    buffer_clear(&reply.body);
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_INT(reply.code, CURLE_OK);
    CHECK_TEXT(header(curl, "Connection"), "close");
    buffer_clear(&reply.body);
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 0L);
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_INT(reply.connects, 1);
    struct curl_header *second = NULL;
    CHECK_INT(curl_easy_header(curl, "A", 1, CURLH_HEADER, -1, &second), CURLHE_OK);
    CHECK_TEXT(second != NULL ? second->value : "(none)", "2");
    buffer_clear(&reply.body);
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_INT(reply.body.length, 9000000);
    buffer_clear(&reply.body);
    CHECK_INT(demo_counts(demo).calls, 5);
    curl_easy_cleanup(curl);
    demo_stop(demo);
}

/* Three calls at once on three connections: the one that takes a minute holds up neither the others nor the end. */
static void a_slow_answer_holds_up_nobody(void)
{
    struct demo *demo = demo_of("\"phases\":[{\"answers\":[{\"delay_ms\":60000},{},{}]}]");
    char url[512];
    snprintf(url, sizeof url, "%s/vehicles/%s", demo_base(demo), SAMPLE);
    CURLM *multi = curl_multi_init();
    CURL *curls[3];
    struct buffer bodies[3];
    for (size_t i = 0; i < 3; i++) {
        curls[i] = client();
        buffer_init(&bodies[i], 1 << 20);
        curl_easy_setopt(curls[i], CURLOPT_URL, url);
        curl_easy_setopt(curls[i], CURLOPT_WRITEDATA, &bodies[i]);
        curl_multi_add_handle(multi, curls[i]);
    }
    monotime began = clock_now();
    int running = 3;
    while (running > 1 && clock_now() - began < 20000) {
        curl_multi_perform(multi, &running);
        curl_multi_poll(multi, NULL, 0, 100, NULL);
    }
    CHECK_INT(running, 1);
    CHECK_INT(demo_counts(demo).calls, 3);
    monotime stopping = clock_now();
    demo_stop(demo);
    CHECK(clock_now() - stopping < 10000);
    for (size_t i = 0; i < 3; i++) {
        curl_multi_remove_handle(multi, curls[i]);
        curl_easy_cleanup(curls[i]);
        buffer_clear(&bodies[i]);
    }
    curl_multi_cleanup(multi);
}

static void another_scenario_can_take_the_stage(void)
{
    char why[512] = "";
    struct demo *demo = demo_start("forbidden", 0, why, sizeof why);
    CHECK_TEXT(why, "");
    CHECK_TEXT(demo_scenario(demo), "forbidden");
    CURL *curl = client();
    struct reply reply;
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_INT(reply.status, 403);
    buffer_clear(&reply.body);
    CHECK(demo_play(demo, "retry-after", why, sizeof why));
    CHECK_TEXT(demo_scenario(demo), "retry-after");
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_INT(reply.status, 429);
    CHECK_TEXT(header(curl, "Retry-After"), "30");
    buffer_clear(&reply.body);
    CHECK(!demo_play(demo, "nosuch", why, sizeof why));
    CHECK_TEXT(why, "there is no scenario \"nosuch\"; --demo=list names them");
    CHECK_TEXT(demo_scenario(demo), "retry-after");
    CHECK(demo_play(demo, "calm", why, sizeof why)); /* forgets the wait that was announced */
    call(curl, demo_base(demo), SAMPLE, NULL, &reply);
    CHECK_INT(reply.status, 200);
    buffer_clear(&reply.body);
    CHECK_INT(demo_counts(demo).early, 0);
    CHECK_INT(demo_counts(demo).calls, 3);
    curl_easy_cleanup(curl);
    demo_stop(demo);
}

static void what_cannot_start_says_why(void)
{
    char why[512] = "", again[512] = "", wanted[512];
    struct demo *demo = demo_start("calm", 0, why, sizeof why);
    unsigned port = 0;
    CHECK_INT(sscanf(demo_base(demo), "http://127.0.0.1:%u/api", &port), 1);
    CHECK(demo_start("calm", (uint16_t)port, again, sizeof again) == NULL);
    snprintf(wanted, sizeof wanted, "cannot listen on 127.0.0.1 port %u: Address already in use", port);
    CHECK_TEXT(again, wanted);
    demo_stop(demo);
    CHECK(demo_start("nosuch", 0, why, sizeof why) == NULL);
    CHECK_TEXT(why, "there is no scenario \"nosuch\"; --demo=list names them");
}

static const struct unit_test tests[] = {
    {"serve prints its address, then calls, then a summary", serve_prints_its_address_then_calls_then_a_summary},
    {"calls are answered on one connection", calls_are_answered_on_one_connection},
    {"a quota is announced and enforced", a_quota_is_announced_and_enforced},
    {"answers can break off", answers_can_break_off},
    {"a slow answer holds up nobody", a_slow_answer_holds_up_nobody},
    {"another scenario can take the stage", another_scenario_can_take_the_stage},
    {"what cannot start says why", what_cannot_start_says_why},
};

UNIT_MAIN("demo http", tests)
