#include "core/vpic/request.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* RFC 3986, 2.3: what may stand unencoded everywhere in a URL, and in a form as well. */
static bool unreserved(char byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ||
           byte == '-' || byte == '.' || byte == '_' || byte == '~';
}

static void put_encoded(struct buffer *out, const char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    for (const char *at = text; *at != '\0'; at++) {
        if (unreserved(*at)) {
            buffer_putc(out, *at);
        } else {
            uint8_t byte = (uint8_t)*at;
            buffer_putc(out, '%');
            buffer_putc(out, digits[byte >> 4]);
            buffer_putc(out, digits[byte & 15]);
        }
    }
}

static void put_path(struct buffer *out, const char *base, const char *path)
{
    size_t length = strlen(base);
    while (length > 0 && base[length - 1] == '/') {
        length--;
    }
    buffer_put(out, base, length);
    buffer_puts(out, path);
}

void request_single_url(const char *base, const struct vin_key *key, struct buffer *out)
{
    put_path(out, base, "/vehicles/DecodeVinValues/");
    put_encoded(out, key->vin);
    buffer_puts(out, "?format=json");
    if (key->year != 0) {
        buffer_printf(out, "&modelyear=%d", key->year);
    }
}

void request_group_url(const char *base, struct buffer *out)
{
    put_path(out, base, "/vehicles/DecodeVINValuesBatch/");
}

/* The format stands in the body: in the URL of a POST it has brought XML (vpic.md 2.1, batch trap). */
void request_group_body(const struct vin_key *keys, size_t count, struct buffer *out)
{
    buffer_puts(out, "DATA=");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            put_encoded(out, ";");
        }
        put_encoded(out, keys[i].vin);
        if (keys[i].year != 0) {
            put_encoded(out, ",");
            buffer_printf(out, "%d", keys[i].year);
        }
    }
    buffer_puts(out, "&format=json");
}
