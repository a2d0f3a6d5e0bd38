target_sources(vindecode PRIVATE)
