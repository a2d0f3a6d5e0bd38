/* Any bytes as a structured field: the reader ends, stays inside, and is whole or failed. */
#include "core/policy/structured_field.h"
#include "fuzz/promise.h"

static void check_item(const struct structured_item *item, const char *text, size_t size)
{
    if (item->kind == STRUCTURED_STRING || item->kind == STRUCTURED_TOKEN) {
        promise(item->text >= text && item->text + item->length <= text + size, "a text inside the input");
        promise(structured_same_text(item, item), "a text is its own equal");
    }
    if (item->kind == STRUCTURED_INTEGER) {
        promise(item->integer >= -INT64_C(999999999999999) && item->integer <= INT64_C(999999999999999),
                "an integer of 15 digits");
    }
}

static void read_parameters(struct structured_reader *reader, const char *text, size_t size)
{
    struct structured_key key;
    struct structured_item value;
    while (structured_parameter_next(reader, &key, &value)) {
        promise(key.length > 0 && key.text >= text && key.text + key.length <= text + size, "a key inside the input");
        check_item(&value, text, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct structured_key key;
    struct structured_item item;
    size_t members = 0;
    struct structured_reader list = structured_read(text, size);
    while (structured_list_next(&list, &item)) {
        check_item(&item, text, size);
        read_parameters(&list, text, size);
        promise(++members <= size, "a member takes a byte");
    }
    promise(list.at == list.end, "read to the end");
    struct structured_reader dictionary = structured_read(text, size);
    while (structured_dictionary_next(&dictionary, &key, &item)) {
        promise(structured_key_is(&key, "limit") == (key.length == 5 && key.text[0] == 'l' && key.text[1] == 'i' &&
                                                     key.text[2] == 'm' && key.text[3] == 'i' && key.text[4] == 't'),
                "a key is what it is");
        check_item(&item, text, size);
        read_parameters(&dictionary, text, size);
    }
    promise(dictionary.at == dictionary.end, "read to the end");
    return 0;
}
