#ifndef CORE_VIN_COUNTRY_H
#define CORE_VIN_COUNTRY_H

/* The country to which ISO 3780 gives the maker codes that begin like `vin` (at least 2 characters, upper case), by the
 * ranges as SAE, its keeper, has assigned them; "" when none is assigned or known. Where the maker is at home, not
 * always where the vehicle was built. Pure; any thread. */
const char *country_find(const char *vin);

#endif
