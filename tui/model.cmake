target_sources(tui_model PRIVATE)
