unit_test(demo_play tui_demo ${CMAKE_CURRENT_LIST_DIR}/demo_play.c)
