/* One HTTP call against a responder that sends raw bytes: what its end is called, and what is kept of its answer. */

#include "core/base/memory.h"
#include "core/net/call.h"
#include "tests/support/raw_responder.h"
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PLENTY_MS = 20000, LITTLE_MS = 300 };

/* transfer_name() is the engine's and may not be linked here; the enumeration's order is enough to find the culprit. */
#define CHECK_TRANSFER(found, wanted) CHECK_INT(found, wanted)

static struct call_settings settings;

static void fetch(struct call *call, const char *url, int64_t timeout_ms, struct response *out)
{
    call_prepare(call, url, NULL, timeout_ms);
    call_response(call, curl_easy_perform(call->easy), 0, out);
}

/* A call to a responder with these replies. */
struct scene {
    struct raw_responder *responder;
    struct call *call;
    struct response response;
};

static void scene_open(struct scene *scene, const struct raw_reply *replies, size_t count)
{
    scene->responder = raw_responder_start(replies, count);
    scene->call = call_new(&settings);
    if (scene->responder == NULL || scene->call == NULL) {
        printf("no responder or no libcurl handle\n");
        exit(1);
    }
}

static void scene_fetch(struct scene *scene, int64_t timeout_ms)
{
    fetch(scene->call, raw_responder_url(scene->responder), timeout_ms, &scene->response);
}

static void scene_close(struct scene *scene)
{
    call_free(scene->call);
    raw_responder_stop(scene->responder);
}

/* How many fields of that name the response has; `value` becomes the last one's (constant text "" without one). */
static size_t field_count(const struct response *response, const char *name, char *value, size_t size)
{
    size_t count = 0;
    value[0] = '\0';
    for (size_t i = 0; i < response->header_count; i++) {
        const struct header_field *field = &response->headers[i];
        if (field->name_length == strlen(name) && memcmp(field->name, name, field->name_length) == 0) {
            count++;
            snprintf(value, size, "%.*s", (int)field->value_length, field->value);
        }
    }
    return count;
}

#define BYTES(text) .bytes = (text), .length = sizeof(text) - 1

struct wire_case {
    const char *name;
    struct raw_reply reply;
    enum transfer transfer;
    int status;
    const char *body;
};

static const struct wire_case wire_cases[] = {
    {"an answer", {BYTES("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")}, TRANSFER_ANSWERED, 200, "{}"},
    {"an answer in single bytes",
     {BYTES("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"), .piece = 1, .delay_ms = 1},
     TRANSFER_ANSWERED,
     200,
     "{}"},
    {"until the end of the connection", {BYTES("HTTP/1.0 200 OK\r\n\r\n{}")}, TRANSFER_ANSWERED, 200, "{}"},
    {"chunks",
     {BYTES("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")},
     TRANSFER_ANSWERED,
     200,
     "{}"},
    {"no content", {BYTES("HTTP/1.1 204 No Content\r\n\r\n"), .ending = RAW_HANG}, TRANSFER_ANSWERED, 204, ""},
    {"another status", {BYTES("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy")}, TRANSFER_ANSWERED, 503, "busy"},
    {"a redirect is not followed",
     {BYTES("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"), .ending = RAW_KEEP},
     TRANSFER_ANSWERED,
     302,
     ""},
    {"only an informational answer", {BYTES("HTTP/1.1 103 Early Hints\r\n\r\n")}, TRANSFER_ANSWERED, 103, ""},
    {"an answer that switches protocols", {BYTES("HTTP/1.1 101 Go\r\nUpgrade: x\r\n\r\n")}, TRANSFER_ANSWERED, 101, ""},
    {"nothing, then the end", {.bytes = NULL}, TRANSFER_RESET, 0, ""},
    {"nothing, then a reset", {.bytes = NULL, .ending = RAW_RESET, .delay_ms = 20}, TRANSFER_RESET, 0, ""},
    {"the end within the header section", {BYTES("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n")}, TRANSFER_RESET, 0, ""},
    {"a reset within the header section",
     {BYTES("HTTP/1.1 200 OK\r\nContent-Le"), .ending = RAW_RESET, .delay_ms = 20},
     TRANSFER_RESET,
     0,
     ""},
    {"a body shorter than its length",
     {BYTES("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"Count\"")},
     TRANSFER_PARTIAL,
     200,
     "{\"Count\""},
    {"chunks that end early",
     {BYTES("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"Cou\r\n9\r\nnt")},
     TRANSFER_PARTIAL,
     200,
     "{\"Count"},
    {"chunks that are none",
     {BYTES("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n")},
     TRANSFER_PARTIAL,
     200,
     ""},
    {"a throttle whose body ends early",
     {BYTES("HTTP/1.1 429 Slow Down\r\nContent-Length: 100\r\n\r\n{\"retry")},
     TRANSFER_ANSWERED,
     429,
     "{\"retry"},
    {"a body that is not what its encoding says",
     {BYTES("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot a zip")},
     TRANSFER_ANSWERED,
     200,
     ""},
    {"more encodings than anybody undoes",
     {BYTES("HTTP/1.1 429 Slow Down\r\nRetry-After: 90\r\nContent-Encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\n"
            "Content-Length: 2\r\n\r\n{}")},
     TRANSFER_BAD_HEADERS,
     0,
     ""},
    {"not HTTP: a greeting", {BYTES("220 mail.example ESMTP ready\r\n")}, TRANSFER_NOT_HTTP, 0, ""},
    {"not HTTP: binary", {BYTES("\x15\x03\x01\x00\x02\x02\x46")}, TRANSFER_NOT_HTTP, 0, ""},
    {"not HTTP: a page without a header", {BYTES("<html><body>hello</body></html>\r\n")}, TRANSFER_NOT_HTTP, 0, ""},
    {"not HTTP: a broken status line", {BYTES("HTTP/1.1 abc OK\r\n\r\n")}, TRANSFER_NOT_HTTP, 0, ""},
    {"a NUL in a header line",
     {BYTES("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\n{}")},
     TRANSFER_BAD_HEADERS,
     0,
     ""},
};

static void test_wire_cases(void)
{
    for (size_t i = 0; i < sizeof(wire_cases) / sizeof(wire_cases[0]); i++) {
        const struct wire_case *wanted = &wire_cases[i];
        struct scene scene;
        scene_open(&scene, &wanted->reply, 1);
        scene_fetch(&scene, PLENTY_MS);
        const struct response *found = &scene.response;
        if (found->transfer != wanted->transfer || found->status != wanted->status ||
            strcmp(found->body, wanted->body) != 0) {
            printf("\n%s: ", wanted->name);
        }
        CHECK_TRANSFER(found->transfer, wanted->transfer);
        CHECK_INT(found->status, wanted->status);
        CHECK_TEXT(found->body, wanted->body);
        CHECK_INT(found->body_length, strlen(wanted->body));
        CHECK_INT(raw_responder_requests(scene.responder), 1);
        scene_close(&scene);
    }
}

static void test_request(void)
{
    const struct raw_reply reply = {BYTES("HTTP/1.1 204 No Content\r\n\r\n"), .ending = RAW_KEEP};
    struct scene scene;
    scene_open(&scene, &reply, 1);
    char url[128];
    snprintf(url, sizeof(url), "%s/api/vehicles?x=%%2F", raw_responder_url(scene.responder));
    fetch(scene.call, url, PLENTY_MS, &scene.response);
    call_prepare(scene.call, url, "DATA=a;b&format=json", PLENTY_MS);
    CHECK_INT(curl_easy_perform(scene.call->easy), CURLE_OK);
    fetch(scene.call, url, PLENTY_MS, &scene.response);

    char *get = raw_responder_request(scene.responder, 0);
    char *post = raw_responder_request(scene.responder, 1);
    char *again = raw_responder_request(scene.responder, 2);
    CHECK(get != NULL && strstr(get, "GET /api/vehicles?x=%2F HTTP/1.1\r\n") == get);
    CHECK(get != NULL && strstr(get, "\r\nUser-Agent: vindecode/" VINDECODE_VERSION "\r\n") != NULL);
    CHECK(get != NULL && strstr(get, "\r\nAccept: application/json\r\n") != NULL);
    CHECK(post != NULL && strstr(post, "POST /api/vehicles?x=%2F HTTP/1.1\r\n") == post);
    CHECK(post != NULL && strstr(post, "\r\nContent-Type: application/x-www-form-urlencoded\r\n") != NULL);
    CHECK(post != NULL && strstr(post, "\r\n\r\nDATA=a;b&format=json") != NULL);
    CHECK_TEXT(again, get == NULL ? "" : get);
    CHECK_INT(raw_responder_connections(scene.responder), 1); /* one connection served them all */
    free(get);
    free(post);
    free(again);
    scene_close(&scene);
}

/* P0: the header section of the final response; not of 1xx blocks, not trailers; and every duplicate. */
static void test_header_fields(void)
{
    const struct raw_reply reply = {
        BYTES("HTTP/1.1 103 Early Hints\r\nRetry-After: 77\r\nX-Early: yes\r\n\r\n"
              "HTTP/1.1 102 Processing\r\nRetry-After: 78\r\n\r\n"
              "HTTP/1.1 503 Busy\r\nX-RateLimit-Remaining: 5\r\nx-ratelimit-remaining: 3\r\n"
              "X-RateLimit-Remaining: \r\nX-Folded: one\r\n two\r\nX-High: caf\xc3\xa9 \xff\r\n"
              "Transfer-Encoding: chunked\r\n\r\n"
              "2\r\nno\r\n0\r\nRetry-After: 79\r\nX-Trailer: yes\r\n\r\n")};
    struct scene scene;
    scene_open(&scene, &reply, 1);
    scene_fetch(&scene, PLENTY_MS);
    const struct response *response = &scene.response;
    char value[64];
    CHECK_TRANSFER(response->transfer, TRANSFER_ANSWERED);
    CHECK_INT(response->status, 503);
    CHECK_TEXT(response->body, "no");
    CHECK_INT(field_count(response, "Retry-After", value, sizeof(value)), 0);
    CHECK_INT(field_count(response, "X-Early", value, sizeof(value)), 0);
    CHECK_INT(field_count(response, "X-Trailer", value, sizeof(value)), 0);
    CHECK_INT(field_count(response, "X-RateLimit-Remaining", value, sizeof(value)), 2);
    CHECK_TEXT(value, "");
    CHECK_INT(field_count(response, "x-ratelimit-remaining", value, sizeof(value)), 1);
    CHECK_TEXT(value, "3");
    CHECK_INT(field_count(response, "X-High", value, sizeof(value)), 1);
    CHECK_TEXT(value, "caf\xc3\xa9 \xff");
    /* libcurl leaves the fold in the value or takes it out, depending on its version; neither loses the text. */
    CHECK_INT(field_count(response, "X-Folded", value, sizeof(value)), 1);
    CHECK(strstr(value, "one") != NULL && strstr(value, "two") != NULL);
    CHECK_INT(response->header_count, 6);
    scene_close(&scene);
}

/* A reply of `head`, then `length` bytes, then `tail`. */
static void check_long(const char *head, size_t length, const char *tail, enum transfer transfer, int status,
                       size_t body_length)
{
    char *filling = memory_get(length);
    memset(filling, 'x', length);
    struct buffer bytes;
    buffer_init(&bytes, SIZE_MAX / 2);
    buffer_puts(&bytes, head);
    buffer_put(&bytes, filling, length);
    buffer_puts(&bytes, tail);
    free(filling);
    const struct raw_reply reply = {.bytes = bytes.data, .length = bytes.length, .ending = RAW_HANG};
    struct scene scene;
    scene_open(&scene, &reply, 1);
    scene_fetch(&scene, PLENTY_MS);
    CHECK_TRANSFER(scene.response.transfer, transfer);
    CHECK_INT(scene.response.status, status);
    CHECK_INT(scene.response.body_length, body_length);
    scene_close(&scene);
    buffer_clear(&bytes);
}

static void test_long_bodies(void)
{
    const size_t nine_mib = 9437184;
    check_long("HTTP/1.1 200 OK\r\nContent-Length: 8388608\r\n\r\n", CALL_BODY_MAX, "", TRANSFER_ANSWERED, 200,
               CALL_BODY_MAX);
    check_long("HTTP/1.1 200 OK\r\nContent-Length: 8388609\r\n\r\n", (size_t)CALL_BODY_MAX + 1, "", TRANSFER_TOO_LARGE,
               200, CALL_BODY_MAX);
    check_long("HTTP/1.1 200 OK\r\n\r\n", nine_mib, "", TRANSFER_TOO_LARGE, 200, CALL_BODY_MAX);
    /* An error's body: whole up to 64 KiB; beyond, one byte more says that it is over, and the call ends. */
    check_long("HTTP/1.1 503 Busy\r\nContent-Length: 65536\r\n\r\n", 65536, "", TRANSFER_ANSWERED, 503, 65536);
    check_long("HTTP/1.1 503 Busy\r\nContent-Length: 65537\r\n\r\n", 65537, "", TRANSFER_ANSWERED, 503, 65537);
    check_long("HTTP/1.1 503 Busy\r\n\r\n", nine_mib, "", TRANSFER_ANSWERED, 503, 65537);
}

static void test_long_headers(void)
{
    const char *end = "\r\nContent-Length: 0\r\n\r\n";
    check_long("HTTP/1.1 200 OK\r\nX: ", 101376, end, TRANSFER_ANSWERED, 200, 0);
    check_long("HTTP/1.1 200 OK\r\nX: ", 204800, end, TRANSFER_BAD_HEADERS, 0, 0);
}

/* libcurl 7.88 takes any number of header lines, and its header API takes time that grows with their square. */
static void test_many_headers(void)
{
    struct buffer bytes;
    buffer_init(&bytes, 1 << 20);
    buffer_puts(&bytes, "HTTP/1.1 200 OK\r\n");
    for (int i = 0; i < 60000; i++) {
        buffer_puts(&bytes, "a:b\r\n");
    }
    buffer_puts(&bytes, "Content-Length: 0\r\n\r\n");
    const struct raw_reply reply = {.bytes = bytes.data, .length = bytes.length};
    struct scene scene;
    scene_open(&scene, &reply, 1);
    monotime before = clock_now();
    scene_fetch(&scene, PLENTY_MS);
    CHECK_TRANSFER(scene.response.transfer, TRANSFER_BAD_HEADERS);
    CHECK(clock_now() - before < 2000);
    scene_close(&scene);
    buffer_clear(&bytes);
}

/* R01: nothing of one answer is seen in the next, whatever the next one is. */
static void test_nothing_survives(void)
{
    const char *first =
        "HTTP/1.1 429 Slow Down\r\nRetry-After: 60\r\nContent-Length: 21\r\n\r\n{\"retryAfterMs\":9999}\n";
    const struct raw_reply nexts[] = {
        {BYTES("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"), .ending = RAW_KEEP},
        {.bytes = NULL, .ending = RAW_RESET, .delay_ms = 20},
        {BYTES("220 mail.example ESMTP ready\r\n")},
        {BYTES("HTTP/1.1 103 Early Hints\r\nRetry-After: 70\r\n\r\n")},
        {BYTES("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), .ending = RAW_RESET, .delay_ms = 20},
        {.bytes = NULL, .ending = RAW_HANG},
    };
    for (size_t i = 0; i < sizeof(nexts) / sizeof(nexts[0]); i++) {
        /* The first connection ends, so that libcurl does not send the second request again on a new one. */
        const struct raw_reply replies[] = {{.bytes = first, .ending = RAW_CLOSE}, nexts[i]};
        struct scene scene;
        char value[16];
        scene_open(&scene, replies, 2);
        scene_fetch(&scene, PLENTY_MS);
        CHECK_INT(scene.response.status, 429);
        CHECK_INT(field_count(&scene.response, "Retry-After", value, sizeof(value)), 1);
        CHECK_INT(scene.response.body_length, 21);
        scene_fetch(&scene, LITTLE_MS);
        CHECK(scene.response.status != 429);
        CHECK_INT(field_count(&scene.response, "Retry-After", value, sizeof(value)), 0);
        CHECK(strstr(scene.response.body, "retryAfterMs") == NULL);
        CHECK(scene.response.body_length <= 1);
        scene_close(&scene);
    }
}

static void test_timeouts(void)
{
    const struct raw_reply silent = {.bytes = NULL, .ending = RAW_HANG};
    const struct raw_reply trickle = {
        BYTES("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{\"Count\":1 and so on and on and on and on"), .piece = 1,
        .delay_ms = 20};
    const struct raw_reply throttled = {
        BYTES("HTTP/1.1 429 Slow Down\r\nRetry-After: 42\r\nContent-Length: 5000\r\n\r\n{"), .ending = RAW_HANG};
    const struct raw_reply *replies[] = {&silent, &trickle, &throttled};
    const enum transfer wanted[] = {TRANSFER_TIMEOUT, TRANSFER_TIMEOUT, TRANSFER_ANSWERED};
    for (size_t i = 0; i < 3; i++) {
        struct scene scene;
        scene_open(&scene, replies[i], 1);
        monotime before = clock_now();
        scene_fetch(&scene, LITTLE_MS);
        int64_t took_ms = clock_now() - before;
        CHECK_TRANSFER(scene.response.transfer, wanted[i]);
        CHECK(took_ms >= LITTLE_MS - 1 && took_ms < LITTLE_MS + 1000);
        scene_close(&scene);
    }
}

static void test_connecting_hangs(void)
{
    struct raw_responder *deaf = raw_responder_start_deaf();
    struct call *call = call_new(&settings);
    struct response response;
    monotime before = clock_now();
    fetch(call, raw_responder_url(deaf), LITTLE_MS, &response);
    CHECK_TRANSFER(response.transfer, TRANSFER_TIMEOUT);
    CHECK(clock_now() - before < LITTLE_MS + 1000);
    call_free(call);
    raw_responder_stop(deaf);
}

/* A port on loopback on which nobody listens. It is held, so that nobody else gets it meanwhile. */
static int closed_port(char *url, size_t size)
{
    int held = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    CHECK_INT(bind(held, (struct sockaddr *)&address, length), 0);
    CHECK_INT(getsockname(held, (struct sockaddr *)&address, &length), 0);
    snprintf(url, size, "http://127.0.0.1:%u/", (unsigned)ntohs(address.sin_port));
    return held;
}

static void test_no_connection(void)
{
    char refused[64];
    int held = closed_port(refused, sizeof(refused));
    const struct {
        const char *url;
        enum transfer transfer;
    } cases[] = {
        {refused, TRANSFER_REFUSED},
        {"http://255.255.255.255/", TRANSFER_UNREACHABLE}, /* no host's address: the system refuses at once */
        {"ftp://127.0.0.1/", TRANSFER_UNSUPPORTED},
        {"file:///etc/passwd", TRANSFER_UNSUPPORTED},
        {"gopher://127.0.0.1/", TRANSFER_UNSUPPORTED},
        {"http://", TRANSFER_UNSUPPORTED},
        {"http://127.0.0.1:99999/", TRANSFER_UNSUPPORTED},
        {"http://[::1/", TRANSFER_UNSUPPORTED},
        {"", TRANSFER_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct call *call = call_new(&settings);
        struct response response;
        fetch(call, cases[i].url, PLENTY_MS, &response);
        if (response.transfer != cases[i].transfer) {
            printf("\n%s: ", cases[i].url);
        }
        CHECK_TRANSFER(response.transfer, cases[i].transfer);
        CHECK_INT(response.status, 0);
        call_free(call);
    }
    close(held);
}

/* https to a port that speaks something else, or ends the connection in the middle of the handshake. */
static void test_no_tls(void)
{
    const struct {
        struct raw_reply reply;
        enum transfer transfer;
    } cases[] = {
        {{BYTES("HTTP/1.1 400 This is plain HTTP\r\n\r\n"), .at_once = true}, TRANSFER_UNSUPPORTED},
        {{BYTES("\x15\x03\x03\x00\x02\x02\x46"), .at_once = true}, TRANSFER_UNSUPPORTED}, /* alert: no such version */
        {{.bytes = NULL, .at_once = true}, TRANSFER_RESET},
        {{.bytes = NULL, .ending = RAW_RESET, .at_once = true}, TRANSFER_RESET},
        {{BYTES("\x16\x03\x03\x00\x40\x02"), .ending = RAW_HANG, .at_once = true}, TRANSFER_TIMEOUT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scene scene;
        char url[64];
        scene_open(&scene, &cases[i].reply, 1);
        snprintf(url, sizeof(url), "https%s/", raw_responder_url(scene.responder) + strlen("http"));
        fetch(scene.call, url, cases[i].transfer == TRANSFER_TIMEOUT ? LITTLE_MS : PLENTY_MS, &scene.response);
        CHECK_TRANSFER(scene.response.transfer, cases[i].transfer);
        scene_close(&scene);
    }
}

static void test_proxy_refuses(void)
{
    const struct raw_reply reply = {BYTES("HTTP/1.1 407 No\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n")};
    struct scene scene;
    scene_open(&scene, &reply, 1);
    curl_easy_setopt(scene.call->easy, CURLOPT_PROXY, raw_responder_url(scene.responder));
    fetch(scene.call, "https://upstream.invalid/", PLENTY_MS, &scene.response);
    CHECK_TRANSFER(scene.response.transfer, TRANSFER_UNREACHABLE);
    CHECK_INT(scene.response.status, 0);
    CHECK_INT(scene.response.header_count, 0);
    scene_close(&scene);
}

static void test_host(void)
{
    const char *cases[][2] = {
        {"https://vpic.example/api", "vpic.example"},
        {"http://user@Host.Example:8080/x", "Host.Example"},
        {"http://[::1]:8080/", "[::1]"},
    };
    struct call *call = call_new(&settings);
    for (size_t i = 0; i < 3; i++) {
        call_prepare(call, cases[i][0], NULL, 1);
        char *host = call_host(call);
        CHECK_TEXT(host, cases[i][1]);
        free(host);
    }
    call_free(call);
}

static const struct unit_test tests[] = {
    {"what comes is called by its name", test_wire_cases},
    {"the request is ours", test_request},
    {"header fields of the final response only", test_header_fields},
    {"bodies have limits", test_long_bodies},
    {"header lines have limits", test_long_headers},
    {"a flood of header lines", test_many_headers},
    {"nothing of one answer is left for the next", test_nothing_survives},
    {"time-outs", test_timeouts},
    {"a connect that hangs", test_connecting_hangs},
    {"no connection at all", test_no_connection},
    {"no TLS", test_no_tls},
    {"a proxy refuses", test_proxy_refuses},
    {"the host of a call", test_host},
};

int main(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (!call_settings_init(&settings, NULL)) {
        return 1;
    }
    int status = unit_run("net_call", tests, sizeof(tests) / sizeof(tests[0]));
    call_settings_clear(&settings);
    curl_global_cleanup();
    return status;
}
