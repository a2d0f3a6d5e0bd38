unit_test(answer_hint core_vpic ${CMAKE_CURRENT_LIST_DIR}/answer_hint.c)
