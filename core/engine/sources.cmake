room(engine SOURCES engine.c NEEDS core_policy core_vpic core_vin core_base)
