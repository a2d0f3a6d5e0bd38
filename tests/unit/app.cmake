unit_test(app screen_stage ${CMAKE_CURRENT_LIST_DIR}/app.c)
