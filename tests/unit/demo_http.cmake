unit_test(demo_http tui_demo ${CMAKE_CURRENT_LIST_DIR}/demo_http.c)
target_link_libraries(test_demo_http PRIVATE need::curl)
