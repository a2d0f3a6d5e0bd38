#include "tui/text_piece.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

/* What ASCII has instead of characters that do not decompose into a letter and marks. Sorted. */
static const struct {
    uint32_t code;
    const char *ascii;
} substitutes[] = {
    {0xA1, "!"},     {0xA2, "c"},     {0xA3, "GBP"},  {0xA5, "JPY"},  {0xA7, "S"},    {0xA9, "(C)"},  {0xAB, "<<"},
    {0xAC, "-"},     {0xAE, "(R)"},   {0xB0, "deg"},  {0xB1, "+/-"},  {0xB6, "P"},    {0xB7, "."},    {0xBB, ">>"},
    {0xBF, "?"},     {0xC6, "AE"},    {0xD0, "D"},    {0xD7, "x"},    {0xD8, "O"},    {0xDE, "Th"},   {0xDF, "ss"},
    {0xE6, "ae"},    {0xF0, "d"},     {0xF7, "/"},    {0xF8, "o"},    {0xFE, "th"},   {0x110, "D"},   {0x111, "d"},
    {0x126, "H"},    {0x127, "h"},    {0x131, "i"},   {0x138, "k"},   {0x141, "L"},   {0x142, "l"},   {0x14A, "N"},
    {0x14B, "n"},    {0x152, "OE"},   {0x153, "oe"},  {0x166, "T"},   {0x167, "t"},   {0x1E9E, "SS"}, {0x2010, "-"},
    {0x2011, "-"},   {0x2012, "-"},   {0x2013, "-"},  {0x2014, "-"},  {0x2015, "-"},  {0x2018, "'"},  {0x2019, "'"},
    {0x201A, "'"},   {0x201B, "'"},   {0x201C, "\""}, {0x201D, "\""}, {0x201E, "\""}, {0x201F, "\""}, {0x2020, "+"},
    {0x2022, "*"},   {0x2026, "..."}, {0x2032, "'"},  {0x2033, "\""}, {0x2039, "<"},  {0x203A, ">"},  {0x2044, "/"},
    {0x20AC, "EUR"}, {0x2190, "<-"},  {0x2191, "^"},  {0x2192, "->"}, {0x2193, "v"},  {0x2212, "-"},  {0x2215, "/"},
    {0x2219, "."},   {0x221E, "inf"}, {0x2248, "~"},  {0x2260, "!="}, {0x2264, "<="}, {0x2265, ">="}, {0x2500, "-"},
    {0x2501, "="},   {0x2502, "|"},   {0x2503, "|"},  {0x250C, "+"},  {0x2510, "+"},  {0x2514, "+"},  {0x2518, "+"},
    {0x251C, "+"},   {0x2524, "+"},   {0x252C, "+"},  {0x2534, "+"},  {0x253C, "+"},  {0x2588, "#"},  {0x2591, "."},
    {0x25B2, "^"},   {0x25BC, "v"},   {0x25CF, "*"},
};

static const char *substitute(uint32_t code)
{
    size_t low = 0, high = sizeof substitutes / sizeof substitutes[0];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (substitutes[middle].code == code) {
            return substitutes[middle].ascii;
        }
        if (substitutes[middle].code < code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

/* Variation selectors: terminals disagree about the width that they give the character before them. */
static bool is_selector(uint32_t code)
{
    return (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF) ||
           (code >= 0x180B && code <= 0x180D) || code == 0x180F;
}

/* The skin tones, which some terminals merge into the character before them and others do not. */
static bool is_modifier(uint32_t code)
{
    return code >= 0x1F3FB && code <= 0x1F3FF;
}

static bool is_mark(uint32_t code)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    return (category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME) && !is_selector(code);
}

static void put_ascii(struct text_piece *piece, const char *ascii)
{
    piece->code = 0;
    (void)snprintf(piece->ascii, sizeof piece->ascii, "%s", ascii);
    piece->columns = (int)strlen(piece->ascii);
}

static void put_name(struct text_piece *piece, uint32_t code)
{
    piece->code = 0;
    piece->columns = snprintf(piece->ascii, sizeof piece->ascii, "<U+%04lX>", (unsigned long)code);
}

/* ASCII for a character that decomposes into ASCII and marks ("e" for an e with an accent, "1/2"), or "?". */
static void transliterate(uint32_t code, struct text_piece *piece)
{
    const char *known = substitute(code);
    if (known != NULL) {
        put_ascii(piece, known);
        return;
    }
    utf8proc_int32_t parts[32];
    int boundary = UTF8PROC_BOUNDCLASS_START;
    utf8proc_ssize_t count =
        utf8proc_decompose_char((utf8proc_int32_t)code, parts, 32, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, &boundary);
    char ascii[TEXT_ASCII_MAX + 1] = "";
    size_t length = 0;
    for (utf8proc_ssize_t i = 0; count <= 32 && i < count; i++) {
        uint32_t part = (uint32_t)parts[i];
        const char *text = part < 0x80 ? (char[2]){(char)part, '\0'} : substitute(part);
        if (is_mark(part)) {
            continue;
        }
        if (text == NULL || text[0] < 0x20 || length + strlen(text) > TEXT_ASCII_MAX) {
            length = 0;
            break;
        }
        length += (size_t)snprintf(ascii + length, sizeof ascii - length, "%s", text);
    }
    put_ascii(piece, length > 0 ? ascii : "?");
}

/* Whether a character has no business on a screen: controls, formats (bidi overrides, zero-width characters, tags),
 * line and paragraph separators, surrogates, private and unassigned code points. */
static bool is_hidden(uint32_t code)
{
    switch (utf8proc_category((utf8proc_int32_t)code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return true;
    default:
        return false;
    }
}

/* Characters to which the C library and Unicode's own tables give different widths: conjoining Hangul, circled numbers
 * on black squares, hexagrams. A terminal may go by either. */
static bool is_disputed(uint32_t code)
{
    return (code >= 0x1160 && code <= 0x11FF) || (code >= 0xD7B0 && code <= 0xD7FF) ||
           (code >= 0x3248 && code <= 0x324F) || (code >= 0x4DC0 && code <= 0x4DFF);
}

void text_piece_of(uint32_t code, bool utf8, struct text_piece *out)
{
    *out = (struct text_piece){.bytes = 1};
    if (code >= 0x20 && code < 0x7F) {
        out->code = code;
        out->columns = 1;
    } else if (code < 0x20 || code == 0x7F) {
        put_ascii(out, (char[3]){'^', (char)(code ^ 0x40), '\0'});
    } else if (is_selector(code)) {
        out->columns = 0;
    } else if (is_hidden(code)) { /* NOLINT(bugprone-branch-clone): the order of the questions matters */
        put_name(out, code);
    } else if (utf8proc_category((utf8proc_int32_t)code) == UTF8PROC_CATEGORY_ZS) {
        out->code = ' ';
        out->columns = 1;
    } else if (code >= 0x1F1E6 && code <= 0x1F1FF) {
        /* Half a flag: terminals disagree on the width of a pair; the letters do not. */
        put_ascii(out, (char[2]){(char)('A' + (code - 0x1F1E6)), '\0'});
    } else if (!utf8) {
        if (!is_mark(code)) {
            transliterate(code, out);
        }
    } else if (is_mark(code) || is_disputed(code) || utf8proc_charwidth((utf8proc_int32_t)code) == 0) {
        put_name(out, code); /* a mark with nothing to stand on must not change somebody else's cell */
    } else {
        out->code = code;
        out->columns = utf8proc_charwidth((utf8proc_int32_t)code);
    }
}

void text_piece_next(const char *bytes, size_t length, bool utf8, struct text_piece *out)
{
    uint32_t code = (unsigned char)bytes[0];
    if (code >= 0x20 && code < 0x7F && (length == 1 || (unsigned char)bytes[1] < 0x80)) {
        *out = (struct text_piece){.bytes = 1, .columns = 1, .code = code}; /* most are: with no mark behind it */
        return;
    }
    size_t used = text_character(bytes, length, &code);
    if (code == TEXT_BROKEN) {
        char ascii[8];
        (void)snprintf(ascii, sizeof ascii, "<%02X>", (unsigned)(unsigned char)bytes[0]);
        *out = (struct text_piece){.bytes = used};
        put_ascii(out, ascii);
        return;
    }
    text_piece_of(code, utf8, out);
    out->bytes = used;
    bool base = out->code > ' ' || (out->ascii[0] != '\0' && !is_hidden(code));
    size_t marks = 0;
    while (base && out->bytes < length && (unsigned char)bytes[out->bytes] >= 0x80) { /* no ASCII character is a mark */
        used = text_character(bytes + out->bytes, length - out->bytes, &code);
        if (code == TEXT_BROKEN || !(is_mark(code) || is_selector(code) || (is_modifier(code) && out->columns == 2))) {
            return;
        }
        if (utf8 && out->code != 0 && is_mark(code) && marks < CELL_MARKS) {
            out->marks[marks++] = code;
        }
        out->bytes += used;
    }
}
