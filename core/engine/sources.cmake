room(engine
     SOURCES engine.c actions.c flight.c tickets.c admission.c departure.c verdict.c finish.c group.c host.c alert.c
             announce.c response_cache.c meter.c names.c
     NEEDS core_policy core_vpic core_vin core_base)
