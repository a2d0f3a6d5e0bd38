/* TLS with an own authority: not trusted unless ca_file or SSL_CERT_FILE says so. The peer is `openssl s_server`. */

#include "tests/unit/net_session.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The peer, its folder and its certificate. */
static char folder[] = "/tmp/vindecode-tls-XXXXXX";
static char certificate[64], key[64], other_certificate[64], other_key[64];
static pid_t server;
static char base[64], misnamed_base[64];

/* Runs a program to its end, silently; true if it went well. */
static bool succeeds(char *const *arguments)
{
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
    pid_t child;
    int status = 1;
    bool started = posix_spawnp(&child, arguments[0], &files, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    return started && waitpid(child, &status, 0) == child && status == 0;
}

static bool make_certificate(char *certificate_file, char *key_file)
{
    char *arguments[] = {"openssl",
                         "req",
                         "-x509",
                         "-newkey",
                         "ec",
                         "-pkeyopt",
                         "ec_paramgen_curve:prime256v1",
                         "-nodes",
                         "-keyout",
                         key_file,
                         "-out",
                         certificate_file,
                         "-days",
                         "2",
                         "-subj",
                         "/CN=127.0.0.1",
                         "-addext",
                         "subjectAltName=IP:127.0.0.1",
                         NULL};
    return succeeds(arguments);
}

/* Starts the peer on a port that the system chooses, and reads from it which one that is. */
static bool start_server(void)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&files, ends[0]);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
    char *arguments[] = {"openssl", "s_server",  "-accept", "127.0.0.1:0", "-www",
                         "-cert",   certificate, "-key",    key,           NULL};
    bool started = posix_spawnp(&server, "openssl", &files, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    FILE *words = fdopen(ends[0], "r");
    char line[256];
    unsigned port = 0;
    while (started && port == 0 && fgets(line, sizeof(line), words) != NULL) {
        const char *colon = strncmp(line, "ACCEPT ", 7) == 0 ? strrchr(line, ':') : NULL;
        port = colon == NULL ? 0 : (unsigned)strtoul(colon + 1, NULL, 10);
    }
    /* The stream stays open: the peer would be killed by SIGPIPE otherwise. */
    snprintf(base, sizeof(base), "https://127.0.0.1:%u", port);
    snprintf(misnamed_base, sizeof(misnamed_base), "https://localhost:%u", port);
    return port != 0;
}

/* What becomes of one VIN; the peer answers all with a page, so "trusted" ends as an answer that cannot be read. */
static void check_outcome(const char *address, const char *ca_file, enum transfer transfer, int status)
{
    struct session session;
    session_open(&session, address, ca_file);
    session_submit(&session, 1, 0);
    struct network_news *news = session_wait(&session, EVENT_FAILED, PATIENCE_MS);
    CHECK(news != NULL);
    if (news != NULL) {
        CHECK_INT(news->event.as.failed.transfer, transfer);
        CHECK_INT(news->event.as.failed.status, status);
        if (transfer == TRANSFER_CERTIFICATE) {
            CHECK_INT(news->event.as.failed.code, CODE_UPSTREAM_UNAVAILABLE);
            CHECK_INT(news->event.as.failed.attempts, 1);
        }
        network_news_free(news);
    }
    CHECK_AT_ONCE(session_close(&session));
}

static void test_untrusted(void)
{
    check_outcome(base, NULL, TRANSFER_CERTIFICATE, 0);
    check_outcome(base, other_certificate, TRANSFER_CERTIFICATE, 0);
}

static void test_trusted_by_option(void)
{
    check_outcome(base, certificate, TRANSFER_ANSWERED, 200);
}

static void test_trusted_by_environment(void)
{
    setenv("SSL_CERT_FILE", certificate, 1);
    check_outcome(base, NULL, TRANSFER_ANSWERED, 200);
    setenv("SSL_CERT_FILE", other_certificate, 1);
    check_outcome(base, NULL, TRANSFER_CERTIFICATE, 0);
    check_outcome(base, certificate, TRANSFER_ANSWERED, 200); /* the option is stronger */
    setenv("SSL_CERT_FILE", "", 1);
    check_outcome(base, NULL, TRANSFER_CERTIFICATE, 0);
    unsetenv("SSL_CERT_FILE");
}

/* The certificate is trusted, but is not this host's. */
static void test_wrong_name(void)
{
    check_outcome(misnamed_base, certificate, TRANSFER_CERTIFICATE, 0);
}

static void test_no_such_file(void)
{
    check_outcome(base, "/nonexistent/authority.pem", TRANSFER_CERTIFICATE, 0);
    check_outcome(base, key, TRANSFER_CERTIFICATE, 0);
}

static const struct unit_test tests[] = {
    {"an unknown authority", test_untrusted},
    {"trusted by ca_file", test_trusted_by_option},
    {"trusted by SSL_CERT_FILE", test_trusted_by_environment},
    {"another host's certificate", test_wrong_name},
    {"no such authority file", test_no_such_file},
};

int main(void)
{
    session_prepare();
    unsetenv("SSL_CERT_FILE");
    if (!succeeds((char *[]){"openssl", "version", NULL})) {
        printf("no openssl program here: TLS is not tested\n");
        return 77;
    }
    if (mkdtemp(folder) == NULL) {
        printf("no folder in /tmp\n");
        return 1;
    }
    snprintf(certificate, sizeof(certificate), "%s/cert.pem", folder);
    snprintf(key, sizeof(key), "%s/key.pem", folder);
    snprintf(other_certificate, sizeof(other_certificate), "%s/other.pem", folder);
    snprintf(other_key, sizeof(other_key), "%s/other-key.pem", folder);
    int status = 1;
    if (!make_certificate(certificate, key) || !make_certificate(other_certificate, other_key) || !start_server()) {
        printf("openssl made no certificate or did not serve\n");
    } else {
        status = unit_run("net_tls", tests, sizeof(tests) / sizeof(tests[0]));
    }
    if (server > 0) {
        kill(server, SIGTERM);
        waitpid(server, NULL, 0);
    }
    const char *files[] = {certificate, key, other_certificate, other_key};
    for (size_t i = 0; i < 4; i++) {
        unlink(files[i]);
    }
    rmdir(folder);
    return status;
}
