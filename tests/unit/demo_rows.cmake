unit_test(demo_rows tui_demo ${CMAKE_CURRENT_LIST_DIR}/demo_rows.c)
target_link_libraries(test_demo_rows PRIVATE need::cjson)
target_compile_definitions(test_demo_rows PRIVATE RESPONSES="${PROJECT_SOURCE_DIR}/../shared/vpic/responses")
