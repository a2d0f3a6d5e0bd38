unit_test(keys screen_stage ${CMAKE_CURRENT_LIST_DIR}/keys.c)
