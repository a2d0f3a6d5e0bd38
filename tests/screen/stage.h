#ifndef TESTS_SCREEN_STAGE_H
#define TESTS_SCREEN_STAGE_H

#include "tui/app_model.h"
#include "tui/frame.h"
#include "tui/view.h"

/* The model on a stage: keys and engine events by hand, a clock that only moves when it is told to, and no terminal.
 * For the golden frames, the unit tests of the model and the fuzzer. */
enum { STAGE_SENT_MAX = 256 };

struct stage {
    struct app *app;
    monotime now;
    walltime wall; /* the wall clock at `now` */
    uint64_t host_sequence;
    struct submission sent; /* the last one, or the one that stage_pick() chose */
    struct submission all_sent[STAGE_SENT_MAX];
    size_t sent_count, cancelled_count, left_count, asked_meter_count;
    uint64_t cancelled;     /* the last ticket that was */
    int status;             /* of the last wish to leave */
    enum effect_kind asked; /* the last other effect */
    size_t asked_count, asked_index, kept_count;
    char asked_text[256];
    bool asked_on, asked_list, asked_replace;
};

#define STAGE_VIN "1HGCM82633A004352"
extern const char stage_answer[]; /* a small answer for STAGE_VIN */

void stage_open(struct stage *stage, const char *demo);
void stage_close(struct stage *stage);

void stage_pass(struct stage *stage, int64_t ms);
void stage_key(struct stage *stage, enum key key, uint32_t code);
void stage_type(struct stage *stage, const char *text); /* ASCII, a key for each */
void stage_paste(struct stage *stage, const char *bytes, size_t length);

void stage_search(struct stage *stage, const char *text);   /* "/", and the text */
void stage_click(struct stage *stage, int row, int column); /* the mouse is on then */

/* Lines of a list, as the loop hands them over. */
void stage_list(struct stage *stage, const char *name, const char *const *lines, size_t count);

/* Events of the ticket that was sent last, or as number `index` from 0. */
void stage_pick(struct stage *stage, size_t index);
void stage_calling(struct stage *stage, int attempt, int attempts, int64_t timeout_ms);
void stage_waiting(struct stage *stage, enum wait_origin origin, int64_t ms, enum reason reason, int status);
void stage_decoded(struct stage *stage, const char *json, bool from_cache);
void stage_failed(struct stage *stage, const struct event_failed *failed);

/* Any event; the stage fills in ticket, key and time when the ticket is 0 and the kind has one. */
void stage_event(struct stage *stage, struct event *event);

void stage_gate(struct stage *stage, enum wait_origin origin, int64_t ms);
void stage_breaker(struct stage *stage, int64_t ms);

/* The vehicle of an answer's first row; the caller owns it. */
struct vehicle *stage_vehicle(const char *json);

/* The frame as text; the caller frees it. The window is told to the model first. */
char *stage_frame(struct stage *stage, int rows, int columns, bool utf8);

#endif
