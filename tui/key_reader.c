#include "tui/key_reader.h"

#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { ESC = 0x1b, CR = '\r', LF = '\n', TAB = '\t', BEL = 0x07, DEL = 0x7f };

/* What stands for bytes that are no character. */
enum { REPLACEMENT = 0xfffd };

void key_reader_init(struct key_reader *reader)
{
    *reader = (struct key_reader){.paste = PASTE_NONE};
    buffer_init(&reader->pasted, KEY_READER_PASTE_MAX);
}

void key_reader_clear(struct key_reader *reader)
{
    struct input input;
    while (key_reader_next(reader, &input)) {
        free(input.bytes);
    }
    buffer_clear(&reader->pasted);
}

bool key_reader_next(struct key_reader *reader, struct input *out)
{
    if (reader->queue_length == 0) {
        return false;
    }
    *out = reader->queue[reader->queue_first];
    reader->queue_first = (reader->queue_first + 1) % KEY_READER_QUEUE;
    reader->queue_length--;
    return true;
}

bool key_reader_in_doubt(const struct key_reader *reader)
{
    return reader->paste == PASTE_IN_DOUBT;
}

bool key_reader_pasting(const struct key_reader *reader)
{
    return reader->paste != PASTE_NONE;
}

/* The queue holds what one token and one tail can make, and it is emptied after each. */
static void emit_input(struct key_reader *reader, const struct input *input)
{
    if (reader->queue_length < KEY_READER_QUEUE) {
        reader->queue[(reader->queue_first + reader->queue_length) % KEY_READER_QUEUE] = *input;
        reader->queue_length++;
    } else {
        free(input->bytes);
    }
}

static void emit(struct key_reader *reader, enum key key, uint32_t code)
{
    emit_input(reader, &(struct input){.key = key, .code = code});
}

/* A byte of UTF-8 from 0x80, or any byte while a character is not whole. True when the byte was used. */
static bool put_utf8(struct key_reader *reader, unsigned char byte)
{
    bool continues = (byte & 0xc0) == 0x80;
    if (reader->utf8_length > 0 && !continues) {
        reader->utf8_length = 0;
        emit(reader, KEY_CHARACTER, REPLACEMENT);
    }
    if (byte < 0x80) {
        return false;
    }
    if (reader->utf8_length == 0 && (byte < 0xc2 || byte > 0xf4)) {
        emit(reader, KEY_CHARACTER, REPLACEMENT);
        return true;
    }
    reader->utf8[reader->utf8_length++] = (char)byte;
    unsigned char lead = (unsigned char)reader->utf8[0];
    if (reader->utf8_length == (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2)) {
        uint32_t character = 0;
        text_character(reader->utf8, reader->utf8_length, &character);
        reader->utf8_length = 0;
        emit(reader, KEY_CHARACTER, character == TEXT_BROKEN ? REPLACEMENT : character);
    }
    return true;
}

/* Plain bytes */

static void put_plain(struct key_reader *reader, unsigned char byte, monotime now)
{
    if (put_utf8(reader, byte)) {
        return;
    }
    if (byte == CR || byte == LF) {
        bool second = byte == LF && reader->cr_before && now - reader->cr_at <= KEY_READER_CRLF_MS;
        reader->cr_before = byte == CR;
        reader->cr_at = now;
        if (!second) {
            emit(reader, KEY_ENTER, 0);
        }
    } else if (byte == TAB) {
        emit(reader, KEY_TAB, 0);
    } else if (byte == DEL) {
        emit(reader, KEY_RUBOUT, 0);
    } else if (byte < ' ') {
        emit(reader, KEY_CONTROL, (uint32_t)byte + '@');
    } else {
        emit(reader, KEY_CHARACTER, byte);
    }
}

/* Esc and what follows it at once */

static void begin_escape(struct key_reader *reader)
{
    reader->escape = ESCAPE_SEEN;
    reader->escape_length = 0;
}

static void end_escape(struct key_reader *reader, enum key key, uint32_t code)
{
    reader->escape = ESCAPE_NONE;
    emit(reader, key, code);
}

/* The character behind Esc: a known sequence would have come as a TOKEN_KEY. */
static void put_behind_escape(struct key_reader *reader, unsigned char byte)
{
    reader->escape_first = byte;
    if (byte == ESC) {
        end_escape(reader, KEY_ESCAPE, 0);
        begin_escape(reader);
    } else if (byte == '[') {
        reader->escape = ESCAPE_CSI;
    } else if (byte == 'O') {
        reader->escape = ESCAPE_SS3;
    } else if (byte != 0 && strchr("]P_^X", byte) != NULL) {
        reader->escape = ESCAPE_STRING;
    } else if (byte >= 0x80) {
        reader->escape = ESCAPE_NONE; /* Alt and a letter beyond ASCII is that letter */
        put_utf8(reader, byte);
    } else {
        end_escape(reader, KEY_ALT, byte);
    }
}

/* The mouse */

/* Where xterm puts the first button and the two ways of the wheel; the bits of Shift, Alt and Ctrl do not matter. */
enum { BUTTON_FIRST = 0, BUTTON_WHEEL_UP = 64, BUTTON_WHEEL_DOWN = 65, BUTTON_MODIFIERS = 4 | 8 | 16 };

enum { OLD_OFFSET = 32, OLD_RELEASE = 3, MOUSE_PLACE_MAX = 10000 };

/* Another button, a release or a movement is nothing that a person did: it takes back no message. */
static void end_mouse(struct key_reader *reader, bool pressed)
{
    int button = reader->mouse[0] & ~BUTTON_MODIFIERS, column = reader->mouse[1] - 1, row = reader->mouse[2] - 1;
    enum key key = button == BUTTON_FIRST        ? KEY_CLICK
                   : button == BUTTON_WHEEL_UP   ? KEY_WHEEL_UP
                   : button == BUTTON_WHEEL_DOWN ? KEY_WHEEL_DOWN
                                                 : KEY_UNKNOWN;
    reader->escape = ESCAPE_NONE;
    if (pressed && key != KEY_UNKNOWN && column >= 0 && row >= 0) {
        emit_input(reader, &(struct input){.key = key, .row = row, .column = column});
    }
}

static void begin_mouse(struct key_reader *reader, enum escape_state form)
{
    reader->escape = form;
    memset(reader->mouse, 0, sizeof reader->mouse);
    reader->mouse_count = 0;
}

/* A byte of a report. False when it cannot be one: then the report is none. */
static bool put_in_mouse(struct key_reader *reader, unsigned char byte)
{
    if (reader->escape == ESCAPE_MOUSE_OLD) {
        reader->mouse[reader->mouse_count++] = byte - OLD_OFFSET;
        if (reader->mouse_count == MOUSE_NUMBERS) {
            end_mouse(reader, (reader->mouse[0] & OLD_RELEASE) != OLD_RELEASE);
        }
        return true;
    }
    if (byte >= '0' && byte <= '9') {
        int *number = &reader->mouse[reader->mouse_count];
        *number = *number < MOUSE_PLACE_MAX ? *number * 10 + byte - '0' : *number;
    } else if (byte == ';' && reader->mouse_count + 1 < MOUSE_NUMBERS) {
        reader->mouse_count++;
    } else if ((byte == 'M' || byte == 'm') && reader->mouse_count + 1 == MOUSE_NUMBERS) {
        end_mouse(reader, byte == 'M');
    } else {
        return false;
    }
    return true;
}

/* Inside a sequence that nobody knows: it ends as ECMA-48 says and counts as one key. */
static void put_in_sequence(struct key_reader *reader, unsigned char byte)
{
    bool in_mouse = reader->escape == ESCAPE_MOUSE || reader->escape == ESCAPE_MOUSE_OLD;
    if (in_mouse && put_in_mouse(reader, byte)) {
        return;
    }
    if (reader->escape == ESCAPE_CSI && reader->escape_length == 0 && (byte == '<' || byte == 'M')) {
        begin_mouse(reader, byte == '<' ? ESCAPE_MOUSE : ESCAPE_MOUSE_OLD);
        return;
    }
    reader->escape = in_mouse ? ESCAPE_CSI : reader->escape;
    reader->escape_length++;
    bool whole = reader->escape == ESCAPE_SS3 || (reader->escape == ESCAPE_CSI && byte >= 0x40 && byte <= 0x7e) ||
                 (reader->escape == ESCAPE_STRING && byte == BEL);
    if (whole) {
        end_escape(reader, KEY_UNKNOWN, 0);
    } else if (byte == ESC) {
        end_escape(reader, KEY_UNKNOWN, 0);
        begin_escape(reader);
    }
}

static void put_byte(struct key_reader *reader, unsigned char byte, monotime now)
{
    if (reader->escape == ESCAPE_NONE && byte == ESC) {
        begin_escape(reader);
    } else if (reader->escape == ESCAPE_NONE) {
        put_plain(reader, byte, now);
    } else if (reader->escape == ESCAPE_SEEN) {
        put_behind_escape(reader, byte);
    } else {
        put_in_sequence(reader, byte);
    }
    if (byte != CR) {
        reader->cr_before = false;
    }
}

/* A report of the mouse is not over before its end: a slow line may fall silent within it. */
static void finish_escape(struct key_reader *reader)
{
    if (reader->escape == ESCAPE_MOUSE || reader->escape == ESCAPE_MOUSE_OLD) {
        return;
    }
    if (reader->escape == ESCAPE_SEEN) {
        end_escape(reader, KEY_ESCAPE, 0);
    } else if (reader->escape != ESCAPE_NONE && reader->escape_length == 0) {
        end_escape(reader, KEY_ALT, reader->escape_first);
    } else if (reader->escape != ESCAPE_NONE) {
        end_escape(reader, KEY_UNKNOWN, 0);
    }
}

/* Pastes */

static void put_token(struct key_reader *reader, const struct token *token, monotime now);

static void paste_text(struct key_reader *reader, const struct token *token)
{
    static const char end[] = "\033[201~", begin[] = "\033[200~";
    switch (token->kind) {
    case TOKEN_BYTE:
        buffer_putc(&reader->pasted, (char)token->code);
        break;
    case TOKEN_KEY:
        buffer_puts(&reader->pasted, token->text);
        break;
    case TOKEN_PASTE_BEGIN:
        buffer_puts(&reader->pasted, begin);
        break;
    case TOKEN_PASTE_END:
        buffer_puts(&reader->pasted, end);
        break;
    }
}

/* What stood behind an end of paste turns out to be text, and so does the end. */
static void paste_tail(struct key_reader *reader)
{
    if (!reader->end_is_text) {
        paste_text(reader, &(struct token){.kind = TOKEN_PASTE_END});
        reader->end_is_text = true;
    }
    for (size_t i = 0; i < reader->tail_length; i++) {
        paste_text(reader, &reader->tail[i]);
    }
    reader->tail_length = 0;
}

static void deliver_paste(struct key_reader *reader)
{
    size_t length = reader->pasted.length;
    char *bytes = buffer_take(&reader->pasted);
    emit_input(reader, &(struct input){.key = KEY_PASTE, .bytes = bytes, .length = length});
    reader->paste = PASTE_NONE;
    size_t count = reader->tail_length;
    reader->tail_length = 0;
    for (size_t i = 0; i < count; i++) {
        struct token token = reader->tail[i];
        put_token(reader, &token, reader->paste_at);
    }
}

/* The text of a paste may hold an end bracket of its own, with a command behind it. So an end counts only when no other
 * end follows before the terminal falls silent; in doubt it is text. */
static void put_paste(struct key_reader *reader, const struct token *token)
{
    if (token->kind == TOKEN_PASTE_END) {
        if (reader->paste == PASTE_IN_DOUBT) {
            paste_tail(reader);
        }
        reader->paste = PASTE_IN_DOUBT;
        reader->end_is_text = false;
    } else if (reader->paste == PASTE_OPEN) {
        paste_text(reader, token);
    } else if (token->kind == TOKEN_PASTE_BEGIN) {
        deliver_paste(reader);
        reader->paste = PASTE_OPEN;
    } else {
        if (reader->tail_length == KEY_READER_TAIL) {
            paste_tail(reader);
        }
        reader->tail[reader->tail_length++] = *token;
    }
}

static void put_token(struct key_reader *reader, const struct token *token, monotime now)
{
    switch (token->kind) {
    case TOKEN_BYTE:
        put_byte(reader, (unsigned char)token->code, now);
        return;
    case TOKEN_KEY:
        reader->escape = ESCAPE_NONE; /* Alt and a named key is that key */
        reader->cr_before = false;
        emit(reader, token->key, token->code);
        return;
    case TOKEN_PASTE_BEGIN:
        finish_escape(reader);
        reader->paste = PASTE_OPEN;
        return;
    case TOKEN_PASTE_END:
        return; /* an end without a beginning */
    }
}

void key_reader_put(struct key_reader *reader, const struct token *token, monotime now)
{
    if (reader->paste == PASTE_OPEN && now - reader->paste_at > KEY_READER_PASTE_SILENCE_MS) {
        deliver_paste(reader);
    }
    if (reader->paste == PASTE_NONE) {
        put_token(reader, token, now);
    } else {
        put_paste(reader, token);
    }
    reader->paste_at = now;
}

void key_reader_idle(struct key_reader *reader)
{
    if (reader->paste == PASTE_IN_DOUBT) {
        deliver_paste(reader);
    }
    if (reader->paste == PASTE_NONE) {
        finish_escape(reader);
    }
}
