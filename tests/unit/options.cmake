set(option_sources options.c option_table.c option_file.c option_help.c field_choice.c)
list(TRANSFORM option_sources PREPEND ${PROJECT_SOURCE_DIR}/tui/)
unit_test(options tui_model ${CMAKE_CURRENT_LIST_DIR}/options.c ${option_sources})
target_link_libraries(test_options PRIVATE need::inih m)
