unit_test(keys screen_stage ${CMAKE_CURRENT_LIST_DIR}/keys.c)
target_compile_definitions(test_keys PRIVATE MANUAL="${PROJECT_SOURCE_DIR}/assets/vindecode.1")
