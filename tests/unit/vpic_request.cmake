unit_test(vpic_request core_vpic ${CMAKE_CURRENT_LIST_DIR}/vpic_request.c)
