unit_test(maker core_vin ${CMAKE_CURRENT_LIST_DIR}/maker.c)
target_compile_definitions(test_maker PRIVATE SHARED_DIRECTORY="${PROJECT_SOURCE_DIR}/../shared")
