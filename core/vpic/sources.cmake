room(vpic SOURCES request.c vehicle.c json_arena.c json_text.c answer.c body_hint.c catalogue.c notes.c positions.c suggestions.c
     NEEDS core_base core_vin need::cjson Threads::Threads)
embed_assets(core_vpic fields.tsv codes.tsv)
