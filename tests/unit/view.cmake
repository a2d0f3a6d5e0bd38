unit_test(view screen_stage ${CMAKE_CURRENT_LIST_DIR}/view.c)
