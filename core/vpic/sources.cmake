room(vpic SOURCES request.c vehicle.c answer.c body_hint.c catalogue.c notes.c NEEDS core_base core_vin need::cjson)
