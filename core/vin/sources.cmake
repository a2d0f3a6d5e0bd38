room(vin SOURCES clean.c vin.c scan.c maker.c lookalike.c NEEDS core_base)
