unit_test(catalogue core_vpic ${CMAKE_CURRENT_LIST_DIR}/catalogue.c)
