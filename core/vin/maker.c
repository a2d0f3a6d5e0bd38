#include "core/vin/maker.h"
