room(vin SOURCES clean.c vin.c scan.c maker.c country.c lookalike.c NEEDS core_base)
embed_assets(core_vin makers.tsv)
