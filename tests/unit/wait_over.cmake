unit_test(wait_over screen_stage ${CMAKE_CURRENT_LIST_DIR}/wait_over.c)
