unit_test(frame tui_model ${CMAKE_CURRENT_LIST_DIR}/frame.c)
