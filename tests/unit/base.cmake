unit_test(base core_base ${CMAKE_CURRENT_LIST_DIR}/base.c)
