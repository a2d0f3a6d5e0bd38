target_sources(tui_demo PRIVATE)
