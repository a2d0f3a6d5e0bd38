#include "core/vin/lookalike.h"
