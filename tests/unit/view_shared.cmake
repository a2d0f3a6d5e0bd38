# Draws the recorded answers that are handed around beside the repository; skipped without them.
unit_test(view_shared screen_stage ${CMAKE_CURRENT_LIST_DIR}/view_shared.c)
target_compile_definitions(test_view_shared PRIVATE SHARED_DIR="${PROJECT_SOURCE_DIR}/../shared")
set_tests_properties(unit.view_shared PROPERTIES SKIP_RETURN_CODE 77)
