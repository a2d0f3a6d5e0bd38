unit_test(editor tui_model ${CMAKE_CURRENT_LIST_DIR}/editor.c)
