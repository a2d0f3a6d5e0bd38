unit_test(scan core_vin ${CMAKE_CURRENT_LIST_DIR}/scan.c)
