# Writes the recorded answers that are handed around beside the repository; skipped without them.
set(TUI ${PROJECT_SOURCE_DIR}/tui)
unit_test(record_shared screen_stage ${CMAKE_CURRENT_LIST_DIR}/record_shared.c ${TUI}/record.c ${TUI}/json_writer.c
          ${TUI}/csv_writer.c ${TUI}/text_writer.c ${TUI}/csv_reader.c)
target_link_libraries(test_record_shared PRIVATE need::cjson need::csv)
target_compile_definitions(test_record_shared PRIVATE SHARED_DIR="${PROJECT_SOURCE_DIR}/../shared")
set_tests_properties(unit.record_shared PROPERTIES SKIP_RETURN_CODE 77)
# The same with answers that mean harm; nothing beside the repository is needed.
unit_test(record_hostile screen_stage ${CMAKE_CURRENT_LIST_DIR}/record_hostile.c ${TUI}/record.c ${TUI}/json_writer.c
          ${TUI}/csv_writer.c ${TUI}/text_writer.c ${TUI}/csv_reader.c)
target_link_libraries(test_record_hostile PRIVATE need::cjson need::csv)
