#ifndef CORE_BASE_BUFFER_H
#define CORE_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes that grow, up to a limit that is stated when the buffer is made. There is always a NUL behind the last byte, so
 * that `data` is a C string as long as no NUL was put in. An error (limit or memory) is sticky: further puts do
 * nothing and `failed` stays set, so a caller checks once at the end.
 */
struct buffer {
    char *data; /* never NULL after buffer_init; owned */
    size_t length;
    size_t capacity;
    size_t limit; /* the most bytes it will hold */
    bool failed;
};

void buffer_init(struct buffer *buffer, size_t limit);

/* Frees what it holds. */
void buffer_clear(struct buffer *buffer);

/* Forgets the content and the failure, keeps the memory. */
void buffer_reset(struct buffer *buffer);

void buffer_put(struct buffer *buffer, const void *bytes, size_t length);
void buffer_puts(struct buffer *buffer, const char *text);
void buffer_putc(struct buffer *buffer, char byte);
void buffer_printf(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Hands the bytes to the caller, who frees them, and leaves the buffer empty. */
char *buffer_take(struct buffer *buffer);

#endif
