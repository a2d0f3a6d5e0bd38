set(TUI ${PROJECT_SOURCE_DIR}/tui)
unit_test(save screen_stage ${CMAKE_CURRENT_LIST_DIR}/save.c ${TUI}/save.c ${TUI}/spool.c ${TUI}/output_file.c
          ${TUI}/record.c ${TUI}/json_writer.c ${TUI}/csv_writer.c ${TUI}/text_writer.c ${TUI}/field_choice.c)
target_link_libraries(test_save PRIVATE need::cjson)
unit_test(copy core_base ${CMAKE_CURRENT_LIST_DIR}/copy.c ${TUI}/copy.c)
