find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME e2e.headless COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/headless.py $<TARGET_FILE:vindecode>)
set_tests_properties(e2e.headless PROPERTIES TIMEOUT 600 LABELS quick)
