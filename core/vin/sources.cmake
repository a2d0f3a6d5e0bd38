room(vin SOURCES vin.c scan.c maker.c lookalike.c NEEDS core_base)
