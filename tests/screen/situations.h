#ifndef TESTS_SCREEN_SITUATIONS_H
#define TESTS_SCREEN_SITUATIONS_H

#include "screen/stage.h"

/* What can be seen on the screen, each played to the model by hand: for the golden frames, the themes and the pictures.
 */
struct situation {
    const char *name;
    const char *demo; /* the scenario's name; NULL: no demo */
    void (*play)(struct stage *stage);
};

extern const struct situation situations[];
extern const size_t situation_count;

/* NULL when there is none of that name. */
const struct situation *situation_find(const char *name);

/* Plays it and draws it into a frame of any size. */
void situation_draw(const struct situation *situation, struct frame *frame);

#endif
