e2e_test(keys slow)
target_link_libraries(e2e_keys PRIVATE tui_model)
e2e_alone(keys) # it reads the screen after each key
e2e_test(keys_list quick)
target_link_libraries(e2e_keys_list PRIVATE core_vin)
