#include "simulation/user.h"

#include "core/base/memory.h"

#include <stdio.h>
#include <string.h>

enum {
    LONG_PAUSE_MS = 60 * 1000,
    LONG_PAUSE_OF_A_DAY_MS = 2 * 60 * 1000,
    LONGEST_JUMP_MS = 6 * 3600 * 1000,
    LONGEST_SLEEP_MS = 20 * 60 * 1000
};

/* A VIN with the right check digit. */
static void write_vin(const char *start, unsigned number, char out[VIN_LENGTH + 1])
{
    snprintf(out, VIN_LENGTH + 1, "%s%0*u", start, (int)(VIN_LENGTH - strlen(start)), number);
    char digit = vin_check_digit(out);
    if (digit != '\0') {
        out[VIN_CHECK_POSITION - 1] = digit;
    }
}

struct vin_key user_new_vin(unsigned number)
{
    struct vin_key key = {.year = 0};
    write_vin("JHMCM82603A", number, key.vin);
    return key;
}

static void fill_pool(struct user *user, struct random *random)
{
    static const char *const starts[] = {"1HGCM82603A", "WVWZZZ1JZ3W", "5YJSA1E20HF", "JTDKB20U03A"};
    for (size_t i = 0; i < user->pool_count; i++) {
        struct vin_key *key = &user->pool[i];
        *key = (struct vin_key){.year = draw_chance(random, 15) ? 2003 : 0};
        bool twin = i > 0 && draw_chance(random, 8); /* the same VIN with another year */
        if (twin) {
            *key = user->pool[i - 1];
            key->year = key->year == 0 ? 2003 : 0;
        } else {
            write_vin(starts[random_below(random, 4)], (unsigned)random_below(random, 1000000), key->vin);
        }
        if (!twin && draw_chance(random, 10)) {
            key->vin[VIN_CHECK_POSITION - 1] = key->vin[VIN_CHECK_POSITION - 1] == '1' ? '2' : '1';
        }
        if (!twin && draw_chance(random, 5)) {
            key->vin[5] = '*';
        }
        snprintf(user->texts[i], sizeof user->texts[i], key->year != 0 ? "%s,%d" : "%s", key->vin, key->year);
    }
}

void user_init(struct user *user, uint64_t seed)
{
    struct random random = draw_stream(seed, STREAM_RUN, 1);
    *user = (struct user){.seed = seed, .longest_pause_ms = LONG_PAUSE_MS};
    user->pool_count = (size_t)draw_between(&random, 2, 24);
    user->list_left = draw_chance(&random, 60) ? 0 : (size_t)draw_between(&random, 1, 70);
    fill_pool(user, &random);
}

void user_init_for_a_day(struct user *user, uint64_t seed)
{
    user_init(user, seed);
    struct random random = draw_stream(seed, STREAM_RUN, 2);
    user->pool_count = POOL_MAX;
    user->list_left = SIZE_MAX;
    user->longest_pause_ms = LONG_PAUSE_OF_A_DAY_MS;
    fill_pool(user, &random);
}

static void press(struct world *world, enum key key, uint32_t code)
{
    struct input input = {.key = key, .code = code};
    world_input(world, &input);
}

static void clear_field(struct world *world)
{
    press(world, KEY_CONTROL, 'E');
    press(world, KEY_CONTROL, 'U');
}

/* The next characters of what is being typed; another VIN begins where one is done. */
static void type_some(struct user *user, struct world *world, struct random *random, size_t count)
{
    if (user->texts[user->target][user->typed] == '\0') {
        clear_field(world);
        user->target = random_below(random, user->pool_count);
        user->typed = 0;
    }
    for (size_t i = 0; i < count && user->texts[user->target][user->typed] != '\0'; i++) {
        press(world, KEY_CHARACTER, (unsigned char)user->texts[user->target][user->typed++]);
    }
}

static void type_on(struct user *user, struct world *world, struct random *random)
{
    type_some(user, world, random, random_below(random, 6) + 1);
}

/* All of it at once, as a scanner does. */
static void scan(struct user *user, struct world *world, struct random *random)
{
    clear_field(world);
    user->target = random_below(random, user->pool_count);
    user->typed = 0;
    type_some(user, world, random, SIZE_MAX);
    press(world, KEY_ENTER, 0);
    if (draw_chance(random, 30)) {
        press(world, KEY_ENTER, 0);
    }
}

static void paste(struct user *user, struct world *world, struct random *random)
{
    static const char *const forms[] = {"%s", "%s\n", "VIN: %s", " %s\r\n", "%s %s", "*%s*", "\x1b[2J%s", "I%s"};
    const char *vin = user->texts[random_below(random, user->pool_count)];
    char text[128];
    const char *form = forms[random_below(random, 8)];
    int length = 0;
    for (const char *at = form; *at != '\0'; at++) {
        bool name = at[0] == '%' && at[1] == 's';
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "%.*s", name ? (int)strlen(vin) : 1, name ? vin : at);
        at += name ? 1 : 0;
    }
    struct input input = {.key = KEY_PASTE, .bytes = memory_copy(text, (size_t)length), .length = (size_t)length};
    clear_field(world);
    world_input(world, &input);
    if (draw_chance(random, 50)) {
        press(world, KEY_ENTER, 0);
    }
}

/* Several VINs at once become a list, which a key sets going. */
static void paste_list(struct user *user, struct world *world, struct random *random)
{
    enum { LINES_MOST = 8 };
    size_t count = random_below(random, LINES_MOST) + 2, length = 0;
    count = count < user->list_left ? count : user->list_left;
    user->list_left -= count;
    char text[(LINES_MOST + 2) * 32];
    for (size_t i = 0; i < count; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\n",
                                   user->texts[random_below(random, user->pool_count)]);
    }
    struct input input = {.key = KEY_PASTE, .bytes = memory_copy(text, length), .length = length};
    world_input(world, &input);
    if (draw_chance(random, 80)) {
        press(world, KEY_CHARACTER, 'x');
    }
    if (draw_chance(random, 50)) {
        press(world, KEY_CHARACTER, 'i');
    }
}

static void edit(struct user *user, struct world *world, struct random *random)
{
    static const struct input keys[] = {
        {.key = KEY_RUBOUT},
        {.key = KEY_DELETE},
        {.key = KEY_GO_LEFT},
        {.key = KEY_GO_RIGHT},
        {.key = KEY_GO_HOME},
        {.key = KEY_GO_END},
        {.key = KEY_GO_UP},
        {.key = KEY_GO_DOWN},
        {.key = KEY_CONTROL, .code = 'W'},
        {.key = KEY_CONTROL, .code = 'K'},
        {.key = KEY_CONTROL, .code = 'Y'},
        {.key = KEY_CONTROL, .code = '_'},
        {.key = KEY_CHARACTER, .code = '7'},
        {.key = KEY_CHARACTER, .code = ' '},
        {.key = KEY_CHARACTER, .code = 0xE9},
    };
    struct input input = keys[random_below(random, sizeof keys / sizeof keys[0])];
    world_input(world, &input);
    if (draw_chance(random, 20)) {
        user->typed = strlen(user->texts[user->target]); /* enough of this one */
    }
}

static void look_around(struct user *user, struct world *world, struct random *random)
{
    (void)user;
    static const struct input keys[] = {
        {.key = KEY_FUNCTION, .code = 1},
        {.key = KEY_FUNCTION, .code = 2},
        {.key = KEY_FUNCTION, .code = 3},
        {.key = KEY_FUNCTION, .code = 4},
        {.key = KEY_TAB},
        {.key = KEY_CHARACTER, .code = 'e'},
        {.key = KEY_CHARACTER, .code = 'g'},
        {.key = KEY_GO_PAGE_DOWN},
        {.key = KEY_ENTER},
        {.key = KEY_CHARACTER, .code = 's'},
        {.key = KEY_CHARACTER, .code = 'x'},
        {.key = KEY_CHARACTER, .code = 'r'},
        {.key = KEY_CHARACTER, .code = 'c'},
        {.key = KEY_CHARACTER, .code = 'w'},
        {.key = KEY_CHARACTER, .code = 'j'},
        {.key = KEY_CHARACTER, .code = '/'},
        {.key = KEY_CHARACTER, .code = 'b'},
        {.key = KEY_CHARACTER, .code = 'y'},
        {.key = KEY_FUNCTION, .code = 3},
        {.key = KEY_CHARACTER, .code = 'i'},
        {.key = KEY_ESCAPE},
    };
    struct input input = keys[random_below(random, sizeof keys / sizeof keys[0])];
    world_input(world, &input);
}

static void resize(struct user *user, struct world *world, struct random *random)
{
    (void)user;
    static const int sizes[][2] = {{24, 80}, {12, 40}, {40, 120}, {24, 80}, {5, 20}, {1, 1}};
    const int *size = sizes[random_below(random, 6)];
    if (world->app != NULL) {
        frame_resize(&world->frame, size[0], size[1]);
        world_draw(world);
    }
}

static void ask_directly(struct user *user, struct world *world, struct random *random)
{
    static const int64_t budgets_ms[] = {0, 0, 0, 90000, 30000, 5000, 1500, 1000};
    const struct vin_key *key = &user->pool[random_below(random, user->pool_count)];
    world_submit(world, key, draw_chance(random, 15), budgets_ms[random_below(random, 8)]);
}

static void ask_list(struct user *user, struct world *world, struct random *random)
{
    size_t count = draw_chance(random, 80) ? random_below(random, 8) + 1 : random_below(random, 60) + 1;
    count = count < user->list_left ? count : user->list_left;
    user->list_left -= count;
    bool one_by_one = draw_chance(random, 30);
    struct vin_key keys[LIST_MOST];
    for (size_t i = 0; i < count; i++) {
        keys[i] = user->pool[random_below(random, user->pool_count)];
        if (one_by_one) {
            world_submit_list(world, &keys[i], 1);
        }
    }
    if (!one_by_one) {
        world_submit_list(world, keys, count);
    }
}

/* One of those who asked directly gives up; a draw that meets the app's ticket is nobody's. */
static void cancel_one(struct user *user, struct world *world, struct random *random)
{
    (void)user;
    const struct record *record = world->record;
    size_t at = record->open_count > 0 ? random_below(random, record->open_count) : 0;
    if (at < record->open_count && record->open[at] >= DIRECT_TICKETS) {
        world_cancel(world, record->open[at]);
    }
}

static void cancel_all(struct user *user, struct world *world, struct random *random)
{
    (void)user, (void)random;
    const struct record *record = world->record;
    for (size_t i = record->open_count; i > 0; i--) {
        if (i <= record->open_count && record->open[i - 1] >= DIRECT_TICKETS) {
            world_cancel(world, record->open[i - 1]);
        }
    }
}

static void clock_jumps(struct user *user, struct world *world, struct random *random)
{
    (void)user;
    int64_t ahead_ms = INT64_C(1796040000000) + draw_between(random, -LONGEST_JUMP_MS, LONGEST_JUMP_MS);
    trace_line(world->trace, world->now, "the wall clock jumps by %lld ms",
               (long long)(ahead_ms - world->wall_ahead_ms));
    world->wall_ahead_ms = ahead_ms;
}

static void press_enter(struct user *user, struct world *world, struct random *random)
{
    (void)user, (void)random;
    press(world, KEY_ENTER, 0);
}

static void press_again(struct user *user, struct world *world, struct random *random)
{
    (void)user, (void)random;
    press(world, KEY_FUNCTION, 5);
}

static void press_escape(struct user *user, struct world *world, struct random *random)
{
    (void)user, (void)random;
    press(world, KEY_ESCAPE, 0);
}

static void press_interrupt(struct user *user, struct world *world, struct random *random)
{
    (void)user, (void)random;
    press(world, KEY_CONTROL, 'C');
}

static void change_mood(struct user *user, struct world *world, struct random *random)
{
    (void)user;
    upstream_change_mood(&world->upstream, random);
}

static void fall_asleep(struct user *user, struct world *world, struct random *random)
{
    (void)user;
    world_sleep(world, draw_between(random, 1, LONGEST_SLEEP_MS));
}

static void look_at_meter(struct user *user, struct world *world, struct random *random)
{
    (void)user, (void)random;
    world_check_meter(world);
}

static void look_at_screen(struct user *user, struct world *world, struct random *random)
{
    (void)user, (void)random;
    world_draw(world);
}

static void do_nothing(struct user *user, struct world *world, struct random *random)
{
    (void)user, (void)world, (void)random;
}

/* What somebody may do in a step, and how often it is that. */
static const struct {
    unsigned weight;
    void (*act)(struct user *user, struct world *world, struct random *random);
} acts[] = {
    {10, type_on},      {12, scan},           {4, paste},      {2, paste_list},  {12, press_enter}, {5, press_again},
    {3, press_escape},  {1, press_interrupt}, {6, edit},       {8, look_around}, {1, resize},       {12, ask_directly},
    {6, ask_list},      {4, cancel_one},      {1, cancel_all}, {4, change_mood}, {1, fall_asleep},  {1, clock_jumps},
    {2, look_at_meter}, {4, look_at_screen},  {8, do_nothing},
};

static void act(struct user *user, struct world *world, struct random *random)
{
    enum { ACTS = sizeof acts / sizeof acts[0] };
    unsigned weights[ACTS];
    for (size_t i = 0; i < ACTS; i++) {
        weights[i] = acts[i].weight;
    }
    acts[draw_weighted(random, weights, ACTS)].act(user, world, random);
}

/* The time until the next step: often none, sometimes just before or at the moment when something happens. */
static int64_t pause_ms(const struct user *user, const struct world *world, struct random *random)
{
    static const unsigned weights[] = {25, 20, 15, 20, 8, 6, 6};
    monotime next = world_next(world);
    int64_t until_next = next != MONOTIME_NEVER && next > world->now ? next - world->now : 0;
    switch (draw_weighted(random, weights, 7)) {
    case 0:
        return 0;
    case 1:
        return draw_between(random, 1, 50);
    case 2:
        return draw_between(random, 50, 500);
    case 3:
        return draw_between(random, 500, 5000);
    case 4:
        return until_next;
    case 5:
        return until_next > 0 ? until_next - 1 : 0;
    default:
        return draw_between(random, 5000, user->longest_pause_ms);
    }
}

void user_step(struct user *user, struct world *world, uint64_t step)
{
    struct random random = draw_stream(user->seed, STREAM_STEP, step);
    world->order = draw_stream(user->seed, STREAM_ORDER, step);
    act(user, world, &random);
    if (!world_broken(world)) {
        world_pass(world, pause_ms(user, world, &random));
    }
}
