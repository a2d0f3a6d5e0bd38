set(plain_sources plain_say.c record.c text_writer.c)
list(TRANSFORM plain_sources PREPEND ${PROJECT_SOURCE_DIR}/tui/)
unit_test(plain screen_stage ${CMAKE_CURRENT_LIST_DIR}/plain.c ${plain_sources})
