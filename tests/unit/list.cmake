unit_test(list screen_stage ${CMAKE_CURRENT_LIST_DIR}/list.c)
