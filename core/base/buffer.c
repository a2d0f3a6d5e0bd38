#include "core/base/buffer.h"

#include "core/base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

void buffer_init(struct buffer *buffer, size_t limit)
{
    *buffer = (struct buffer){.data = memory_get(FIRST_CAPACITY), .capacity = FIRST_CAPACITY, .limit = limit};
}

void buffer_clear(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){0};
}

void buffer_reset(struct buffer *buffer)
{
    buffer->length = 0;
    buffer->data[0] = '\0';
    buffer->failed = false;
}

/* Makes room for `more` bytes and the NUL; false, and the buffer has failed, when there is none. */
static bool make_room(struct buffer *buffer, size_t more)
{
    if (buffer->failed || buffer->length > buffer->limit || more > buffer->limit - buffer->length ||
        buffer->length + more == SIZE_MAX) {
        buffer->failed = true;
        return false;
    }
    size_t needed = buffer->length + more + 1;
    if (needed <= buffer->capacity) {
        return true;
    }
    size_t capacity = buffer->capacity;
    while (capacity < needed) {
        capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
    }
    char *data = realloc(buffer->data, capacity);
    if (data == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void buffer_put(struct buffer *buffer, const void *bytes, size_t length)
{
    if (length > 0 && make_room(buffer, length)) {
        memcpy(buffer->data + buffer->length, bytes, length);
        buffer->length += length;
        buffer->data[buffer->length] = '\0';
    }
}

void buffer_puts(struct buffer *buffer, const char *text)
{
    buffer_put(buffer, text, strlen(text));
}

void buffer_putc(struct buffer *buffer, char byte)
{
    buffer_put(buffer, &byte, 1);
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) {
        buffer->failed = true;
    } else if (make_room(buffer, (size_t)length)) {
        vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

char *buffer_take(struct buffer *buffer)
{
    char *data = buffer->data;
    buffer_init(buffer, buffer->limit);
    return data;
}
