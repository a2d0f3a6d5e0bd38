unit_test(app_panes screen_stage ${CMAKE_CURRENT_LIST_DIR}/app_panes.c)
