#ifndef CORE_VPIC_REQUEST_H
#define CORE_VPIC_REQUEST_H

#include "core/base/buffer.h"
#include "core/vin/vin.h"

#include <stddef.h>

/* vPIC's requests (vpic.md 2.1). `base` is the API's address up to and without "/vehicles", with or without a slash at
 * its end. Pure functions; any thread. */

#define VPIC_DEFAULT_BASE "https://vpic.nhtsa.dot.gov/api"
#define VPIC_GROUP_MAX 50

/* GET BASE/vehicles/DecodeVinValues/VIN?format=json[&modelyear=YEAR], percent-encoded, appended to `out`. */
void request_single_url(const char *base, const struct vin_key *key, struct buffer *out);

/* POST BASE/vehicles/DecodeVINValuesBatch/, and its form body with DATA and format=json. At most VPIC_GROUP_MAX keys.
 */
void request_group_url(const char *base, struct buffer *out);
void request_group_body(const struct vin_key *keys, size_t count, struct buffer *out);

#endif
