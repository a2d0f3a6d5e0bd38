# The numbers of the reports against the names of the tests. The second test has a number that nobody knows: it must be found.
set(reports ${CMAKE_CURRENT_LIST_DIR}/reports.sh ${CMAKE_CURRENT_LIST_DIR}/..)
add_test(NAME unit.reports COMMAND ${reports} ${PROJECT_SOURCE_DIR}/../shared/cases/reports.md)
set_tests_properties(unit.reports PROPERTIES SKIP_RETURN_CODE 77 LABELS quick)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/reports.md "| B01 | x |\n| B999 | unheard of |\n")
add_test(NAME unit.reports_missing COMMAND ${reports} ${CMAKE_CURRENT_BINARY_DIR}/reports.md)
set_tests_properties(unit.reports_missing PROPERTIES PASS_REGULAR_EXPRESSION "has: B999" LABELS quick)
