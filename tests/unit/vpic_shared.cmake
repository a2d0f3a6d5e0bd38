# Compares with the recorded answers and tables that are handed around beside the repository; skipped without them.
unit_test(vpic_shared core_vpic ${CMAKE_CURRENT_LIST_DIR}/vpic_shared.c)
target_compile_definitions(test_vpic_shared PRIVATE SHARED_DIR="${PROJECT_SOURCE_DIR}/../shared")
set_tests_properties(unit.vpic_shared PROPERTIES SKIP_RETURN_CODE 77)
