unit_test(view_reports screen_stage ${CMAKE_CURRENT_LIST_DIR}/view_reports.c)
