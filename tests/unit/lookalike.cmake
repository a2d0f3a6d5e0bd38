unit_test(lookalike core_vin ${CMAKE_CURRENT_LIST_DIR}/lookalike.c)
