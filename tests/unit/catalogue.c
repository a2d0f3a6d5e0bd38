#include "unit/unit.h"

#include "core/vpic/catalogue.h"

#include <pthread.h>

/* The first use of all, by two threads at once: for the thread sanitizer. */
static void *look_up(void *unused)
{
    (void)unused;
    return (void *)(catalogue_find("Make") != NULL && catalogue_code(400) != NULL ? "found" : NULL);
}

static void first_use_by_two_threads(void)
{
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, look_up, NULL), 0);
    }
    for (size_t i = 0; i < 2; i++) {
        void *found = NULL;
        pthread_join(threads[i], &found);
        CHECK(found != NULL);
    }
}

static void fields_are_found(void)
{
    const struct catalogue_field *field = catalogue_find("DisplacementL");
    CHECK(field != NULL);
    if (field != NULL) {
        CHECK_TEXT(field->name, "DisplacementL");
        CHECK_TEXT(field->label, "Displacement (L)");
        CHECK_TEXT(field->group, "Engine");
        CHECK_TEXT(field->unit, "L");
        CHECK(field->headline > 0);
    }
    field = catalogue_find("ABS");
    CHECK(field != NULL && field->unit[0] == '\0' && field->headline == 0);
    CHECK(catalogue_find("abs") == NULL);
    CHECK(catalogue_find("") == NULL);
    CHECK(catalogue_find("name") == NULL); /* the head of the table is no field */
    CHECK(catalogue_find("NoSuchField") == NULL);
}

static void every_field_is_whole(void)
{
    CHECK(catalogue_count() >= 154);
    for (size_t i = 0; i < catalogue_count(); i++) {
        const struct catalogue_field *field = catalogue_at(i);
        CHECK(catalogue_find(field->name) == field);
        CHECK(field->label[0] != '\0');
        CHECK(field->group[0] != '\0');
    }
}

/* The card draws a group's heading when the group changes: each group stands in one piece. */
static void groups_stand_together(void)
{
    for (size_t i = 1; i < catalogue_count(); i++) {
        const char *group = catalogue_at(i)->group;
        bool begins = strcmp(group, catalogue_at(i - 1)->group) != 0;
        for (size_t j = 0; begins && j + 1 < i; j++) {
            if (strcmp(catalogue_at(j)->group, group) == 0) {
                printf("\n%s in two pieces ", group);
                CU_FAIL("group in pieces");
                break;
            }
        }
    }
}

static void headline_places_are_counted_from_one(void)
{
    enum { MOST = 15 };
    size_t used[MOST + 1] = {0}, places = 0;
    for (size_t i = 0; i < catalogue_count(); i++) {
        int place = catalogue_at(i)->headline;
        CHECK(place >= 0 && place <= MOST);
        if (place > 0 && place <= MOST) {
            used[place]++;
            places++;
        }
    }
    CHECK(places >= 12);
    for (size_t place = 1; place <= places; place++) {
        CHECK_INT(used[place], 1);
    }
}

static void codes(void)
{
    static const struct {
        int code;
        enum severity severity;
    } wanted[] = {
        {0, SEVERITY_OK},       {1, SEVERITY_WARNING}, {2, SEVERITY_WARNING},   {3, SEVERITY_WARNING},
        {4, SEVERITY_WARNING},  {5, SEVERITY_WARNING}, {6, SEVERITY_WARNING},   {7, SEVERITY_PROBLEM},
        {8, SEVERITY_INFO},     {9, SEVERITY_INFO},    {10, SEVERITY_INFO},     {11, SEVERITY_WARNING},
        {12, SEVERITY_WARNING}, {14, SEVERITY_INFO},   {400, SEVERITY_WARNING},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct catalogue_code *code = catalogue_code(wanted[i].code);
        CHECK(code != NULL);
        if (code != NULL) {
            CHECK_INT(code->code, wanted[i].code);
            CHECK_INT(code->severity, wanted[i].severity);
            size_t length = strlen(code->sentence);
            CHECK(length > 20 && code->sentence[length - 1] == '.');
        }
    }
    CHECK(catalogue_code(13) == NULL);
    CHECK(catalogue_code(-1) == NULL);
    CHECK_TEXT(severity_name(SEVERITY_OK), "ok");
    CHECK_TEXT(severity_name(SEVERITY_INFO), "info");
    CHECK_TEXT(severity_name(SEVERITY_WARNING), "warning");
    CHECK_TEXT(severity_name(SEVERITY_PROBLEM), "problem");
}

static const struct unit_test tests[] = {
    {"first use by two threads", first_use_by_two_threads},
    {"fields are found", fields_are_found},
    {"every field is whole", every_field_is_whole},
    {"groups stand together", groups_stand_together},
    {"headline places are counted from one", headline_places_are_counted_from_one},
    {"codes", codes},
};

UNIT_MAIN("catalogue", tests)
