e2e_test(keys slow)
target_link_libraries(e2e_keys PRIVATE tui_model)
