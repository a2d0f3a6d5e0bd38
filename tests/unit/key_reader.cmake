unit_test(key_reader tui_model ${CMAKE_CURRENT_LIST_DIR}/key_reader.c ${PROJECT_SOURCE_DIR}/tui/key_reader.c)
