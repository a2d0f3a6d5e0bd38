unit_test(notes core_vpic ${CMAKE_CURRENT_LIST_DIR}/notes.c)
