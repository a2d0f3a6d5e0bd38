unit_test(options tui_model ${CMAKE_CURRENT_LIST_DIR}/options.c ${PROJECT_SOURCE_DIR}/tui/options.c)
target_link_libraries(test_options PRIVATE m)
