unit_test(streams tui_model ${CMAKE_CURRENT_LIST_DIR}/streams.c ${PROJECT_SOURCE_DIR}/tui/line_source.c
          ${PROJECT_SOURCE_DIR}/tui/csv_reader.c
          ${PROJECT_SOURCE_DIR}/tui/whole_lines.c)
target_link_libraries(test_streams PRIVATE need::csv)
