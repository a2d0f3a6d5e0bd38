#ifndef CORE_BASE_MAILBOX_H
#define CORE_BASE_MAILBOX_H

#include <pthread.h>
#include <stdbool.h>

/*
 * A queue between two threads: a mutex and an eventfd. A message changes owner when it is posted; many posts make one
 * wake-up. The message type starts with a struct mail:
 *
 *     struct order { struct mail mail; ... };
 */
struct mail {
    struct mail *next;
};

struct mailbox {
    pthread_mutex_t lock;
    struct mail *first, *last;
    int wake_read, wake_write; /* the same descriptor where there is an eventfd, else a pipe */
};

/* False when the system gives no descriptor. */
bool mailbox_init(struct mailbox *box);

/* Closes the descriptors. The box must be empty: take what is left first and free it. */
void mailbox_clear(struct mailbox *box);

/* Hands `mail` over. Any thread. */
void mailbox_post(struct mailbox *box, struct mail *mail);

/* Hands over a list, linked by `next` from `first` to `last`: one wake-up at most. Any thread. */
void mailbox_post_all(struct mailbox *box, struct mail *first, struct mail *last);

/* Takes all messages, oldest first, as a list linked by `next`; NULL when there are none. The caller owns them. Also
 * clears the wake-up. Only the receiving thread. */
struct mail *mailbox_take(struct mailbox *box);

/* The descriptor that is readable while messages wait; for poll. */
int mailbox_descriptor(const struct mailbox *box);

#endif
