#include "core/vin/scan.h"
