#include "core/base/buffer.h"
#include "core/base/clock.h"
#include "core/base/mailbox.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "support/sanitized.h"
#include "unit/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------------ clock */

static void clock_goes_forward(void)
{
    monotime before = clock_now();
    monotime after = clock_now();
    CHECK(before > 0);
    CHECK(after >= before);
    CHECK(clock_wall() > INT64_C(1700000000000));
}

static void clock_sums_do_not_overflow(void)
{
    CHECK_INT(monotime_add(1000, 250), 1250);
    CHECK_INT(monotime_add(1000, -250), 750);
    CHECK_INT(monotime_add(MONOTIME_NEVER, 1), MONOTIME_NEVER);
    CHECK_INT(monotime_add(MONOTIME_NEVER - 5, 6), MONOTIME_NEVER);
    CHECK_INT(monotime_add(MONOTIME_NEVER - 6, 6), MONOTIME_NEVER);
    CHECK_INT(monotime_add(0, DURATION_MAX_MS), DURATION_MAX_MS);
}

static bool readable(int descriptor, int timeout_ms)
{
    struct pollfd poller = {.fd = descriptor, .events = POLLIN};
    return poll(&poller, 1, timeout_ms) == 1;
}

static void clock_alarm_rings_at_its_time(void)
{
    clock_alarm_set(-1, 5); /* where there is none */
    int alarm = clock_alarm_open();
    if (alarm < 0) {
        return;
    }
    CHECK((fcntl(alarm, F_GETFD) & FD_CLOEXEC) != 0);
    CHECK(!readable(alarm, 0));

    monotime at = clock_now() + 20;
    clock_alarm_set(alarm, at);
    CHECK(readable(alarm, 5000));
    CHECK(clock_now() >= at);

    clock_alarm_set(alarm, MONOTIME_NEVER); /* off, and the expiry is forgotten */
    CHECK(!readable(alarm, 0));
    clock_alarm_set(alarm, 0); /* a moment long past */
    CHECK(readable(alarm, 5000));
    clock_alarm_set(alarm, MONOTIME_NEVER - 1); /* far, and still a time */
    CHECK(!readable(alarm, 0));
    close(alarm);
}

/* ----------------------------------------------------------------- random */

static void random_replays_from_its_seed(void)
{
    struct random one = random_from_seed(0), two = random_from_seed(0);
    /* The published first outputs of SplitMix64 for the seed 0. */
    CHECK(random_next(&one) == UINT64_C(0xe220a8397b1dcdaf));
    CHECK(random_next(&one) == UINT64_C(0x6e789e6aa1b965f4));
    random_next(&two);
    random_next(&two);
    struct random copy = one;
    CHECK(random_next(&one) == random_next(&two));
    CHECK(random_next(&copy) != random_next(&two));
}

static void random_units_are_even(void)
{
    struct random random = random_from_seed(7);
    double sum = 0, lowest = 1, highest = 0;
    for (int i = 0; i < 100000; i++) {
        double unit = random_unit(&random);
        lowest = unit < lowest ? unit : lowest;
        highest = unit > highest ? unit : highest;
        sum += unit;
    }
    CHECK(lowest >= 0);
    CHECK(highest < 1);
    CHECK(sum > 49000 && sum < 51000);
}

static void random_below_reaches_all(void)
{
    struct random random = random_from_seed(11);
    size_t seen[7] = {0};
    for (int i = 0; i < 7000; i++) {
        size_t draw = random_below(&random, 7);
        CHECK(draw < 7);
        seen[draw % 7]++;
    }
    for (size_t i = 0; i < 7; i++) {
        CHECK(seen[i] > 850 && seen[i] < 1150);
    }
    CHECK_INT(random_below(&random, 1), 0);
    CHECK(random_below(&random, SIZE_MAX / 2 + 2) <= SIZE_MAX / 2 + 1); /* many draws are drawn again */
}

static void random_seeds_differ(void)
{
    CHECK(random_seed_from_system() != random_seed_from_system());
}

/* ----------------------------------------------------------------- buffer */

static void buffer_grows_and_keeps_a_string(void)
{
    struct buffer buffer;
    buffer_init(&buffer, 1000);
    CHECK_TEXT(buffer.data, "");
    buffer_puts(&buffer, "VIN ");
    buffer_printf(&buffer, "%d/%d", 9, 17);
    buffer_putc(&buffer, '.');
    CHECK_TEXT(buffer.data, "VIN 9/17.");
    CHECK_INT(buffer.length, 9);
    for (int i = 0; i < 99; i++) {
        buffer_puts(&buffer, "0123456789");
    }
    CHECK_INT(buffer.length, 999);
    CHECK_INT(strlen(buffer.data), 999);
    CHECK(!buffer.failed);
    buffer_reset(&buffer);
    CHECK_TEXT(buffer.data, "");
    CHECK(buffer.capacity > 999);
    buffer_clear(&buffer);
    CHECK(buffer.data == NULL);
}

static void buffer_failure_stays(void)
{
    struct buffer buffer;
    buffer_init(&buffer, 10);
    buffer_puts(&buffer, "0123456789");
    CHECK(!buffer.failed);
    buffer_put(&buffer, "", 0);
    CHECK(!buffer.failed);
    buffer_putc(&buffer, 'x');
    CHECK(buffer.failed);
    CHECK_TEXT(buffer.data, "0123456789");
    buffer_reset(&buffer);
    CHECK(!buffer.failed);
    buffer_puts(&buffer, "01234567890");
    buffer_puts(&buffer, "a");
    buffer_printf(&buffer, "%s", "b");
    CHECK(buffer.failed);
    CHECK_INT(buffer.length, 0);
    buffer_clear(&buffer);
}

static void buffer_is_taken(void)
{
    struct buffer buffer;
    buffer_init(&buffer, 100);
    buffer_puts(&buffer, "mine");
    char *text = buffer_take(&buffer);
    CHECK_TEXT(text, "mine");
    CHECK_TEXT(buffer.data, "");
    buffer_puts(&buffer, "next");
    CHECK_TEXT(buffer.data, "next");
    CHECK_TEXT(text, "mine");
    free(text);
    buffer_clear(&buffer);
}

/* ---------------------------------------------------------------- mailbox */

struct letter {
    struct mail mail;
    int sender, number;
};

static void mailbox_keeps_the_order(void)
{
    struct mailbox box;
    CHECK(mailbox_init(&box));
    CHECK((fcntl(mailbox_descriptor(&box), F_GETFD) & FD_CLOEXEC) != 0);
    CHECK((fcntl(mailbox_descriptor(&box), F_GETFL) & O_NONBLOCK) != 0);
    CHECK(mailbox_take(&box) == NULL);
    CHECK(!readable(mailbox_descriptor(&box), 0));

    struct letter letters[3] = {{.number = 0}, {.number = 1}, {.number = 2}};
    for (int i = 0; i < 3; i++) {
        mailbox_post(&box, &letters[i].mail);
    }
    CHECK(readable(mailbox_descriptor(&box), 0));
    struct mail *mail = mailbox_take(&box);
    CHECK(!readable(mailbox_descriptor(&box), 0)); /* three posts, one wake-up */
    for (int i = 0; i < 3; i++) {
        CHECK(mail == &letters[i].mail);
        mail = mail != NULL ? mail->next : NULL;
    }
    CHECK(mail == NULL);

    mailbox_post(&box, &letters[1].mail); /* a box that was emptied wakes again */
    CHECK(readable(mailbox_descriptor(&box), 0));
    CHECK(mailbox_take(&box) == &letters[1].mail);

    mailbox_post(&box, &letters[0].mail);
    letters[1].mail.next = &letters[2].mail;
    mailbox_post_all(&box, &letters[1].mail, &letters[2].mail); /* a list comes behind what is there */
    mail = mailbox_take(&box);
    for (int i = 0; i < 3; i++) {
        CHECK(mail == &letters[i].mail);
        mail = mail != NULL ? mail->next : NULL;
    }
    CHECK(mail == NULL && !readable(mailbox_descriptor(&box), 0));
    mailbox_clear(&box);
}

enum { LETTERS = 20000, SENDERS = 2 };

struct sender {
    struct mailbox *box;
    int number;
};

static void *send_letters(void *argument)
{
    struct sender *sender = argument;
    for (int i = 0; i < LETTERS; i++) {
        struct letter *letter = memory_get(sizeof(*letter));
        letter->sender = sender->number;
        letter->number = i;
        mailbox_post(sender->box, &letter->mail);
    }
    return NULL;
}

/* Waits for the descriptor alone, as the loops do: a lost wake-up would hang here, and time out. */
static void mailbox_loses_nothing_between_threads(void)
{
    struct mailbox box;
    CHECK(mailbox_init(&box));
    pthread_t threads[SENDERS];
    struct sender senders[SENDERS];
    for (int i = 0; i < SENDERS; i++) {
        senders[i] = (struct sender){.box = &box, .number = i};
        CHECK_INT(pthread_create(&threads[i], NULL, send_letters, &senders[i]), 0);
    }
    int next[SENDERS] = {0}, out_of_order = 0, empty_wakes = 0, wakes = 0, received = 0;
    while (received < LETTERS * SENDERS && readable(mailbox_descriptor(&box), 30000)) {
        struct mail *mail = mailbox_take(&box);
        wakes++;
        empty_wakes += mail == NULL;
        while (mail != NULL) {
            struct letter *letter = (struct letter *)mail;
            mail = mail->next;
            out_of_order += letter->number != next[letter->sender];
            next[letter->sender] = letter->number + 1;
            received++;
            free(letter);
        }
    }
    for (int i = 0; i < SENDERS; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK_INT(received, LETTERS * SENDERS);
    CHECK_INT(out_of_order, 0);
    CHECK_INT(empty_wakes, 0);
    CHECK(wakes <= LETTERS * SENDERS);
    CHECK(!readable(mailbox_descriptor(&box), 0));
    mailbox_clear(&box);
}

/* ----------------------------------------------------------------- memory */

static void memory_is_zeroed_and_copied(void)
{
    char *bytes = memory_get(100);
    for (size_t i = 0; i < 100; i++) {
        CHECK_INT(bytes[i], 0);
    }
    memcpy(bytes, "abc", 3);
    bytes = memory_resize(bytes, 1000);
    CHECK(memcmp(bytes, "abc", 3) == 0);
    char *copy = memory_copy("a\0b", 3);
    CHECK(memcmp(copy, "a\0b", 3) == 0);
    char *text = memory_string("text");
    CHECK_TEXT(text, "text");
    free(bytes);
    free(copy);
    free(text);
}

static void memory_of_no_size_is_no_failure(void)
{
    void *nothing = memory_get(0), *copy = memory_copy(NULL, 0);
    CHECK(nothing != NULL);
    CHECK(copy != NULL);
    nothing = memory_resize(nothing, 0);
    CHECK(nothing != NULL);
    free(nothing);
    free(copy);
}

static void memory_that_is_missing_ends_the_process(void)
{
    if (SANITIZED) {
        printf("(left out under a sanitizer, whose allocator ends the process by itself) ");
        return;
    }
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        volatile size_t too_much = SIZE_MAX / 2;
        dup2(ends[1], STDERR_FILENO);
        void *block = memory_get(too_much);
        _exit(block == NULL ? 2 : 3);
    }
    close(ends[1]);
    char said[100] = "";
    ssize_t got = read(ends[0], said, sizeof(said) - 1);
    close(ends[0]);
    int status = 0;
    CHECK(got > 0);
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 1);
    CHECK_TEXT(said, "vindecode: out of memory\n");
}

/* ------------------------------------------------------------------- text */

static void text_knows_ascii_alone(void)
{
    CHECK_INT(text_upper('a'), 'A');
    CHECK_INT(text_upper('z'), 'Z');
    CHECK_INT(text_upper('{'), '{');
    CHECK_INT(text_upper('\xe4'), '\xe4');
    CHECK_INT(text_lower('Z'), 'z');
    CHECK_INT(text_lower('['), '[');
    CHECK(text_is_digit('0') && text_is_digit('9') && !text_is_digit('/') && !text_is_digit(':'));
    CHECK(text_is_letter('a') && text_is_letter('Z') && !text_is_letter('@') && !text_is_letter('\xc4'));
    CHECK(text_is_blank(' ') && text_is_blank('\t') && text_is_blank('\r') && !text_is_blank('\0'));
    CHECK(!text_is_blank('\xa0'));
}

static void text_compares_without_case(void)
{
    CHECK_INT(text_compare("Retry-After", "retry-after"), 0);
    CHECK_INT(text_compare("a", "B"), -1);
    CHECK_INT(text_compare("b", "A"), 1);
    CHECK_INT(text_compare("", "a"), -1);
    CHECK_INT(text_compare("ab", "a"), 1);
    CHECK_INT(text_compare("\xe4", "a"), 1);
    CHECK(text_is("Content-Type: x", 12, "content-type"));
    CHECK(!text_is("Content-Type", 12, "content-typ"));
    CHECK(!text_is("Content-Tipe", 12, "content-type"));
    CHECK(text_is("", 0, ""));
}

static void text_trims_both_ends(void)
{
    size_t length = 9;
    const char *trimmed = text_trim(" \tTRUCK \n", &length);
    CHECK_INT(length, 5);
    CHECK(memcmp(trimmed, "TRUCK", 5) == 0);
    length = 3;
    text_trim(" \r\n", &length);
    CHECK_INT(length, 0);
}

static void text_reads_utf8_strictly(void)
{
    static const struct {
        const char *bytes;
        size_t length, size;
        uint32_t character;
    } cases[] = {
        {"A", 1, 1, 'A'},
        {"\0", 1, 1, 0},
        {"\xc3\x96", 2, 2, 0xd6},
        {"\xe2\x80\x8b", 3, 3, 0x200b},
        {"\xf0\x9f\x9a\x97", 4, 4, 0x1f697},
        {"\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff},
        {"\xc3", 1, 1, TEXT_BROKEN},
        {"\xc3\x96", 1, 1, TEXT_BROKEN},             /* cut */
        {"\xc3(", 2, 1, TEXT_BROKEN},                /* not continued */
        {"\x80", 1, 1, TEXT_BROKEN},                 /* continued without a beginning */
        {"\xc0\x80", 2, 1, TEXT_BROKEN},             /* overlong NUL */
        {"\xe0\x80\x80", 3, 1, TEXT_BROKEN},         /* overlong */
        {"\xf0\x80\x80\x80", 4, 1, TEXT_BROKEN},     /* overlong */
        {"\xed\xa0\x80", 3, 1, TEXT_BROKEN},         /* surrogate */
        {"\xf4\x90\x80\x80", 4, 1, TEXT_BROKEN},     /* above U+10FFFF */
        {"\xff\xbf\xbf\xbf\xbf", 5, 1, TEXT_BROKEN}, /* no lead byte */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t character = 1;
        CHECK_INT(text_character(cases[i].bytes, cases[i].length, &character), cases[i].size);
        CHECK_INT(character, cases[i].character);
    }
}

static const struct unit_test tests[] = {
    {"clock goes forward", clock_goes_forward},
    {"clock sums do not overflow", clock_sums_do_not_overflow},
    {"clock alarm rings at its time", clock_alarm_rings_at_its_time},
    {"random replays from its seed", random_replays_from_its_seed},
    {"random units are even", random_units_are_even},
    {"random below reaches all", random_below_reaches_all},
    {"random seeds differ", random_seeds_differ},
    {"buffer grows and keeps a string", buffer_grows_and_keeps_a_string},
    {"buffer failure stays", buffer_failure_stays},
    {"buffer is taken", buffer_is_taken},
    {"mailbox keeps the order", mailbox_keeps_the_order},
    {"mailbox loses nothing between threads", mailbox_loses_nothing_between_threads},
    {"memory is zeroed and copied", memory_is_zeroed_and_copied},
    {"memory of no size is no failure", memory_of_no_size_is_no_failure},
    {"memory that is missing ends the process", memory_that_is_missing_ends_the_process},
    {"text knows ASCII alone", text_knows_ascii_alone},
    {"text compares without case", text_compares_without_case},
    {"text trims both ends", text_trims_both_ends},
    {"text reads UTF-8 strictly", text_reads_utf8_strictly},
};

UNIT_MAIN("base", tests)
