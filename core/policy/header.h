#ifndef CORE_POLICY_HEADER_H
#define CORE_POLICY_HEADER_H

#include <stddef.h>

/* One field line of the final response's header section, as it came: any bytes, not NUL-terminated. Borrowed. */
struct header_field {
    const char *name;
    size_t name_length;
    const char *value;
    size_t value_length;
};

#endif
