unit_test(vin core_vin ${CMAKE_CURRENT_LIST_DIR}/vin.c)
