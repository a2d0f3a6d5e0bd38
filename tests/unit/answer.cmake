unit_test(answer core_vpic ${CMAKE_CURRENT_LIST_DIR}/answer.c)
