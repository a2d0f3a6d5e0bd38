unit_test(answer_reports core_vpic ${CMAKE_CURRENT_LIST_DIR}/answer_reports.c)
