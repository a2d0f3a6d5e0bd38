#ifndef CORE_NET_NAME_CHECK_H
#define CORE_NET_NAME_CHECK_H

/*
 * Tells a host that does not exist from a lookup that failed (T05 against T42). libcurl has one error for both and
 * keeps the reason to itself, so after that error the system's resolver is asked once more, and here its answer is
 * read. "Does not exist" is what the resolver says (EAI_NONAME); some say so, wrongly, while the machine has no
 * network.
 *
 * The question is asked in a detached thread of its own that shares nothing but a descriptor with its maker: whoever no
 * longer wants the answer closes the descriptor and goes on, however long the lookup hangs.
 */

enum name_check_answer {
    NAME_CHECK_PENDING,
    NAME_CHECK_UNSURE, /* it was found this time, or the resolver could not say */
    NAME_CHECK_DENIED  /* the resolver is certain that there is no such host */
};

/* Asks for `host` (copied). Returns a descriptor that becomes readable with the answer, or -1 when the system has no
 * thread or descriptor for it. The caller ends with name_check_close(). */
int name_check_open(const char *host);

/* The answer as far as it has come; does not wait. */
enum name_check_answer name_check_answer(int check);

void name_check_close(int check);

#endif
