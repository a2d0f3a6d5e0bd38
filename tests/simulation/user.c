#include "simulation/user.h"

#include "core/base/memory.h"

#include <stdio.h>
#include <string.h>

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
    *user = (struct user){.seed = seed, .longest_pause_ms = 60 * 1000};
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
    user->longest_pause_ms = 2 * 60 * 1000;
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
static void type_on(struct user *user, struct world *world, struct random *random, size_t count)
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

/* All of it at once, as a scanner does. */
static void scan(struct user *user, struct world *world, struct random *random)
{
    clear_field(world);
    user->target = random_below(random, user->pool_count);
    user->typed = 0;
    type_on(user, world, random, SIZE_MAX);
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

static void look_around(struct world *world, struct random *random)
{
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
        {.key = KEY_CHARACTER, .code = 'i'},
        {.key = KEY_ESCAPE},
    };
    struct input input = keys[random_below(random, sizeof keys / sizeof keys[0])];
    world_input(world, &input);
}

static void resize(struct world *world, struct random *random)
{
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

static void cancel_directly(struct world *world, struct random *random, bool all)
{
    struct record *record = world->record;
    for (size_t i = record->open_count; i > 0; i--) {
        size_t at = all ? i - 1 : random_below(random, record->open_count);
        if (at < record->open_count && record->open[at] >= DIRECT_TICKETS) {
            world_cancel(world, record->open[at]);
            if (!all) {
                return;
            }
        }
    }
}

static void clock_jumps(struct world *world, struct random *random)
{
    int64_t ahead_ms = INT64_C(1796040000000) + draw_between(random, -6 * 3600 * 1000, 6 * 3600 * 1000);
    trace_line(world->trace, world->now, "the wall clock jumps by %lld ms",
               (long long)(ahead_ms - world->wall_ahead_ms));
    world->wall_ahead_ms = ahead_ms;
}

static void act(struct user *user, struct world *world, struct random *random)
{
    enum {
        TYPE,
        SCAN,
        PASTE,
        ENTER,
        AGAIN,
        ESCAPE,
        INTERRUPT,
        EDIT,
        LOOK,
        RESIZE,
        DIRECT,
        LIST,
        CANCEL,
        CANCEL_ALL,
        MOOD,
        SLEEP,
        CLOCK,
        METER,
        DRAW,
        NOTHING,
        ACTS
    };
    static const unsigned weights[ACTS] = {
        [TYPE] = 10, [SCAN] = 12, [PASTE] = 4,  [ENTER] = 12,  [AGAIN] = 5, [ESCAPE] = 3, [INTERRUPT] = 1,
        [EDIT] = 6,  [LOOK] = 4,  [RESIZE] = 1, [DIRECT] = 12, [LIST] = 6,  [CANCEL] = 4, [CANCEL_ALL] = 1,
        [MOOD] = 4,  [SLEEP] = 1, [CLOCK] = 1,  [METER] = 2,   [DRAW] = 4,  [NOTHING] = 8};
    switch (draw_weighted(random, weights, ACTS)) {
    case TYPE:
        type_on(user, world, random, random_below(random, 6) + 1);
        break;
    case SCAN:
        scan(user, world, random);
        break;
    case PASTE:
        paste(user, world, random);
        break;
    case ENTER:
        press(world, KEY_ENTER, 0);
        break;
    case AGAIN:
        press(world, KEY_FUNCTION, 5);
        break;
    case ESCAPE:
        press(world, KEY_ESCAPE, 0);
        break;
    case INTERRUPT:
        press(world, KEY_CONTROL, 'C');
        break;
    case EDIT:
        edit(user, world, random);
        break;
    case LOOK:
        look_around(world, random);
        break;
    case RESIZE:
        resize(world, random);
        break;
    case DIRECT:
        ask_directly(user, world, random);
        break;
    case LIST:
        ask_list(user, world, random);
        break;
    case CANCEL:
        cancel_directly(world, random, false);
        break;
    case CANCEL_ALL:
        cancel_directly(world, random, true);
        break;
    case MOOD:
        upstream_change_mood(&world->upstream, random);
        break;
    case SLEEP:
        world_sleep(world, draw_between(random, 1, 20 * 60 * 1000));
        break;
    case CLOCK:
        clock_jumps(world, random);
        break;
    case METER:
        world_check_meter(world);
        break;
    case DRAW:
        world_draw(world);
        break;
    default:
        break;
    }
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
