unit_test(demo_scenario tui_demo ${CMAKE_CURRENT_LIST_DIR}/demo_scenario.c)
