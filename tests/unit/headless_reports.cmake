set(report_sources report.c decision_log.c metrics.c progress.c record.c output_file.c)
list(TRANSFORM report_sources PREPEND ${PROJECT_SOURCE_DIR}/tui/)
unit_test(headless_reports tui_model ${CMAKE_CURRENT_LIST_DIR}/headless_reports.c ${report_sources})
target_link_libraries(test_headless_reports PRIVATE need::cjson)
