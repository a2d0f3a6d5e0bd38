unit_test(words tui_model ${CMAKE_CURRENT_LIST_DIR}/words.c)
