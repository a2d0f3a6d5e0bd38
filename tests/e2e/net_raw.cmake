add_test(NAME e2e.net_raw COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/net_raw.sh $<TARGET_FILE:vindecode> ${PROJECT_BINARY_DIR}/tests)
set_tests_properties(e2e.net_raw PROPERTIES TIMEOUT 120 LABELS quick)
