# Lists and a single VIN beside curl, with the script that anyone can run by hand.
find_program(SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT SYSTEM_PYTHON)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(SYSTEM_PYTHON ${Python3_EXECUTABLE})
endif()
add_test(NAME bench.list CONFIGURATIONS Bench
         COMMAND ${SYSTEM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/list_budgets.py $<TARGET_FILE:vindecode> --assert)
set_tests_properties(bench.list PROPERTIES LABELS bench TIMEOUT 600 RUN_SERIAL ON)
