#include "core/vin/vin.h"
