#include "tui/demo/demo.h"
#include "tui/demo/scenario.h"

#include "unit/unit.h"

static const char *refusal(const char *text)
{
    static char why[512];
    strcpy(why, "(it was read)");
    struct scenario *scenario = scenario_read(text, strlen(text), "f.json", why, sizeof why);
    scenario_free(scenario);
    return why;
}

/* A scenario whose only answer is `answer`. */
static const char *refused_answer(const char *answer)
{
    static char text[2048];
    snprintf(text, sizeof text, "{\"name\":\"n\",\"description\":\"d\",\"phases\":[{\"answers\":[%s]}]}", answer);
    return refusal(text);
}

static void every_embedded_scenario_is_read(void)
{
    static const char *const wanted[] = {"calm",
                                         "retry-after",
                                         "quota",
                                         "outage",
                                         "slow",
                                         "tour",
                                         "quota-ratelimit",
                                         "quota-structured",
                                         "quota-epoch",
                                         "quota-retry-after",
                                         "forbidden",
                                         "flaky",
                                         "answers-20ms"};
    const char *name, *description;
    size_t count = 0;
    for (; demo_list(count, &name, &description); count++) {
        char why[512] = "";
        struct scenario *scenario = scenario_open(name, why, sizeof why);
        CHECK_TEXT(why, "");
        CHECK(scenario != NULL && description[0] != '\0');
        CHECK_TEXT(scenario_name(scenario), name);
        scenario_free(scenario);
    }
    CHECK_INT(count, sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char why[512] = "";
        struct scenario *scenario = scenario_open(wanted[i], why, sizeof why);
        CHECK_TEXT(why, "");
        scenario_free(scenario);
    }
    CHECK(!demo_list(count, &name, &description));
}

static void all_members_become_what_they_say(void)
{
    static const char text[] =
        "{\"name\":\"n\",\"description\":\"d\",\"seed\":9,\"under_way_ms\":50,\"repeat\":true,"
        "\"quota\":{\"calls\":5,\"window_ms\":1000,\"announce\":\"ratelimit\"},"
        "\"phases\":[{\"name\":\"a\",\"for_ms\":100,\"for_calls\":3,\"until\":\"wait_over\",\"order\":\"random\","
        "\"answers\":[{\"status\":503,\"headers\":{\"Retry-After\":\"{date+30s}\"},\"delay_ms\":[10,20],\"times\":4},"
        "{\"body\":\"text\",\"text\":\"hello\",\"content_type\":\"text/x\",\"ending\":\"cut\","
        "\"headers\":[[\"A\",\"1\"],[\"A\",\"2\"]]}]},"
        "{\"for_calls\":1,\"quota\":null,\"answers\":[{\"body\":\"retry_after_ms\",\"retry_after_ms\":7}]},"
        "{\"for_calls\":1,\"quota\":{\"calls\":1,\"window_ms\":9,\"window\":\"rolling\",\"exceeded\":{\"status\":403}},"
        "\"answers\":[{\"body\":\"oversize\",\"bytes\":10,\"delay_ms\":5}]}]}\n";
    char why[512] = "";
    struct scenario *scenario = scenario_read(text, sizeof text - 1, "f.json", why, sizeof why);
    CHECK_TEXT(why, "");
    CHECK_TEXT(scenario_name(scenario), "n");
    CHECK_INT(scenario_seed(scenario), 9);
    CHECK_INT(scenario_under_way_ms(scenario), 50);
    CHECK_INT(scenario_phase_count(scenario), 3);
    const struct phase *phase = scenario_phase(scenario, 0);
    CHECK_TEXT(phase->name, "a");
    CHECK_INT(phase->for_ms, 100);
    CHECK_INT(phase->for_calls, 3);
    CHECK(phase->until_waited && phase->random);
    CHECK_INT(phase->quota->calls, 5);
    CHECK_INT(phase->quota->family, FAMILY_RATELIMIT);
    CHECK_INT(phase->quota->exceeded.status, 429);
    CHECK_TEXT(phase->quota->exceeded.headers[0].value, "{reset_s}");
    CHECK_INT(phase->answers[0].status, 503);
    CHECK_INT(phase->answers[0].body, BODY_HTML);
    CHECK_INT(phase->answers[0].delay_least_ms, 10);
    CHECK_INT(phase->answers[0].delay_most_ms, 20);
    CHECK_INT(phase->answers[0].times, 4);
    CHECK_INT(phase->answers[1].body, BODY_TEXT);
    CHECK_TEXT(phase->answers[1].text, "hello");
    CHECK_TEXT(phase->answers[1].content_type, "text/x");
    CHECK_INT(phase->answers[1].ending, ENDING_CUT);
    CHECK_INT(phase->answers[1].header_count, 2);
    CHECK_TEXT(phase->answers[1].headers[1].value, "2");
    CHECK(scenario_phase(scenario, 1)->quota == NULL);
    CHECK_INT(scenario_phase(scenario, 1)->answers[0].retry_after_ms, 7);
    phase = scenario_phase(scenario, 2);
    CHECK(phase->quota->rolling);
    CHECK_INT(phase->quota->exceeded.status, 403);
    CHECK_INT(phase->answers[0].bytes, 10);
    CHECK_INT(phase->answers[0].delay_most_ms, 5);
    scenario_free(scenario);
}

static void what_is_wrong_is_named_with_its_place(void)
{
    CHECK_TEXT(refusal(""), "f.json: line 1, column 1: this is not JSON");
    CHECK_TEXT(refusal("{\"name\": \"n\",\n \"phases\" []}"), "f.json: line 2, column 11: this is not JSON");
    CHECK_TEXT(refusal("{} {}"), "f.json: line 1, column 4: this is not JSON");
    CHECK_TEXT(refusal("[]"), "f.json: must be an object");
    CHECK_TEXT(refusal("{}"), "f.json: name: is missing");
    CHECK_TEXT(refusal("{\"name\":\"n\"}"), "f.json: description: is missing");
    CHECK_TEXT(refusal("{\"name\":5}"), "f.json: name: must be a text");
    CHECK_TEXT(refusal("{\"name\":\"n\",\"description\":\"d\"}"), "f.json: phases: must be a list of 1 to 100 phases");
    CHECK_TEXT(refusal("{\"name\":\"n\",\"name\":\"n\"}"), "f.json: name: stands there twice");
    CHECK_TEXT(refusal("{\"phase\":[]}"),
               "f.json: \"phase\" is no member; there are name description seed under_way_ms "
               "repeat quota phases comment");
    CHECK_TEXT(refusal("{\"name\":\"n\",\"description\":\"d\",\"repeat\":1,\"phases\":[]}"),
               "f.json: repeat: must be true or false");
    CHECK_TEXT(refusal("{\"name\":\"n\",\"description\":\"d\",\"phases\":[{\"answers\":[{}]},{\"answers\":[{}]}]}"),
               "f.json: phases[0]: never ends, so the next one never comes: say for_ms, for_calls or until");
    CHECK_TEXT(refusal("{\"name\":\"n\",\"description\":\"d\",\"phases\":[{\"for_ms\":5,\"answers\":[{}]}]}"),
               "f.json: phases[0]: the last phase ends, so \"repeat\" must be true");
    CHECK_TEXT(refusal("{\"name\":\"n\",\"description\":\"d\",\"quota\":{\"calls\":5},\"phases\":[]}"),
               "f.json: quota: needs \"calls\" and \"window_ms\"");
    CHECK_TEXT(refusal("{\"name\":\"n\",\"description\":\"d\",\"phases\":[{\"quota\":{\"calls\":1,\"window_ms\":1,"
                       "\"exceeded\":{\"status\":99}},\"answers\":[{}]}]}"),
               "f.json: phases[0].quota.exceeded.status: must be a whole number from 200 to 599");
}

static void a_wrong_answer_is_named_with_its_place(void)
{
    CHECK_TEXT(refused_answer("{}"), "(it was read)");
    CHECK_TEXT(refused_answer("5"), "f.json: phases[0].answers[0]: must be an object");
    CHECK_TEXT(refused_answer("{},{\"ending\":\"reset\"}"),
               "f.json: phases[0].answers[1].ending: \"reset\" is none of whole, close, cut, drop");
    CHECK_TEXT(refused_answer("{\"delay_ms\":1.5}"),
               "f.json: phases[0].answers[0].delay_ms: must be a whole number from 0 to 86400000");
    CHECK_TEXT(refused_answer("{\"delay_ms\":[5,1]}"),
               "f.json: phases[0].answers[0].delay_ms[1]: must be a whole number from 5 to 86400000");
    CHECK_TEXT(refused_answer("{\"delay_ms\":[5]}"),
               "f.json: phases[0].answers[0].delay_ms: must be one number, or two to draw between");
    CHECK_TEXT(refused_answer("{\"body\":\"text\"}"),
               "f.json: phases[0].answers[0].text: goes with the body \"text\", and only with it");
    CHECK_TEXT(refused_answer("{\"retry_after_ms\":5}"),
               "f.json: phases[0].answers[0].retry_after_ms: goes with the body \"retry_after_ms\", and only with it");
    CHECK_TEXT(refused_answer("{\"headers\":{\"Retry-After\":\"{date+30}\"}}"),
               "f.json: phases[0].answers[0].headers.Retry-After: \"{date+30}\" is no placeholder");
    CHECK_TEXT(refused_answer("{\"headers\":{\"Retry-After\":30}}"),
               "f.json: phases[0].answers[0].headers.Retry-After: a header is a name and a text");
    CHECK_TEXT(refused_answer("{\"headers\":{\"Re try\":\"\"}}"),
               "f.json: phases[0].answers[0].headers: \"Re try\" cannot be the name of a header");
    CHECK_TEXT(refused_answer("{\"headers\":{\"A\":\"a\\nb\"}}"),
               "f.json: phases[0].answers[0].headers.A: a header's value holds no control characters");
    CHECK_TEXT(
        refused_answer("{\"headers\":[[\"content-length\",\"5\"]]}"),
        "f.json: phases[0].answers[0].headers.content-length: is for the server to say; \"ending\" is how an answer "
        "breaks off");
    CHECK_TEXT(refused_answer("{\"headers\":[[\"A\"]]}"),
               "f.json: phases[0].answers[0].headers: a header is a name and a text");
}

static void a_name_that_is_none_is_said(void)
{
    char why[512];
    CHECK(scenario_open("nosuch", why, sizeof why) == NULL);
    CHECK_TEXT(why, "there is no scenario \"nosuch\"; --demo=list names them");
    CHECK(scenario_open("nosuch.json", why, sizeof why) == NULL);
    CHECK_TEXT(why, "nosuch.json: No such file or directory");
    CHECK(scenario_open("/", why, sizeof why) == NULL);
    CHECK_TEXT(why, "/: Is a directory");
}

/* Every beginning of a good file, and every file with one byte turned into another, is read or refused with a line. */
static void damage_is_refused_with_a_line(void)
{
    static const char good[] =
        "{\"name\":\"n\",\"description\":\"d\",\"quota\":{\"calls\":5,\"window_ms\":1000},\"phases\":[{\"for_calls\":1,"
        "\"answers\":[{\"headers\":{\"A\":\"{date+3s}\"},\"delay_ms\":[1,2]}]},{\"answers\":[{\"status\":503}]}]}";
    char text[sizeof good];
    for (size_t length = 0; length < sizeof good - 1; length++) {
        char why[512] = "";
        CHECK(scenario_read(good, length, "f", why, sizeof why) == NULL);
        CHECK(strncmp(why, "f: line 1, column ", 18) == 0);
    }
    for (size_t i = 0; i < sizeof good - 1; i++) {
        for (const char *other = "\"{}[]:,0-\\x"; *other != '\0'; other++) {
            memcpy(text, good, sizeof good);
            text[i] = *other;
            char why[512] = "";
            struct scenario *scenario = scenario_read(text, sizeof good - 1, "f", why, sizeof why);
            CHECK((scenario == NULL) == (why[0] != '\0'));
            scenario_free(scenario);
        }
    }
}

static const struct unit_test tests[] = {
    {"every embedded scenario is read", every_embedded_scenario_is_read},
    {"all members become what they say", all_members_become_what_they_say},
    {"what is wrong is named with its place", what_is_wrong_is_named_with_its_place},
    {"a wrong answer is named with its place", a_wrong_answer_is_named_with_its_place},
    {"a name that is none is said", a_name_that_is_none_is_said},
    {"damage is refused with a line", damage_is_refused_with_a_line},
};

UNIT_MAIN("demo scenario", tests)
