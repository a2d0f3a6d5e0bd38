#include "core/base/mailbox.h"

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#ifdef __linux__

#include <sys/eventfd.h>

static bool open_wake(struct mailbox *box)
{
    box->wake_read = box->wake_write = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return box->wake_read >= 0;
}

#else

static bool open_wake(struct mailbox *box)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    box->wake_read = ends[0];
    box->wake_write = ends[1];
    return true;
}

#endif

static void close_wake(struct mailbox *box)
{
    close(box->wake_read);
    if (box->wake_write != box->wake_read) {
        close(box->wake_write);
    }
    box->wake_read = box->wake_write = -1;
}

bool mailbox_init(struct mailbox *box)
{
    *box = (struct mailbox){.wake_read = -1, .wake_write = -1};
    if (!open_wake(box)) {
        return false;
    }
    if (pthread_mutex_init(&box->lock, NULL) != 0) {
        close_wake(box);
        return false;
    }
    return true;
}

void mailbox_clear(struct mailbox *box)
{
    pthread_mutex_destroy(&box->lock);
    close_wake(box);
}

/* The descriptor changes only under the lock, together with the list: it is readable exactly while the list is not
 * empty. So one wake-up stands for many messages, no wake-up is lost and none is for nothing. Eight bytes suit an
 * eventfd and a pipe alike, and neither can be full, since there is at most one wake-up in it. */
void mailbox_post_all(struct mailbox *box, struct mail *first, struct mail *last)
{
    last->next = NULL;
    pthread_mutex_lock(&box->lock);
    if (box->first == NULL) {
        const uint64_t one = 1;
        box->first = first;
        ssize_t written = write(box->wake_write, &one, sizeof(one));
        (void)written;
    } else {
        box->last->next = first;
    }
    box->last = last;
    pthread_mutex_unlock(&box->lock);
}

void mailbox_post(struct mailbox *box, struct mail *mail)
{
    mailbox_post_all(box, mail, mail);
}

struct mail *mailbox_take(struct mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    struct mail *all = box->first;
    if (all != NULL) {
        uint64_t count;
        ssize_t got = read(box->wake_read, &count, sizeof(count));
        (void)got;
        box->first = box->last = NULL;
    }
    pthread_mutex_unlock(&box->lock);
    return all;
}

int mailbox_descriptor(const struct mailbox *box)
{
    return box->wake_read;
}
