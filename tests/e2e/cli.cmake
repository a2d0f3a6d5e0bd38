# The command line, lists, quotas: scripts that run the program. The system's Python sees Debian's modules (jsonschema).
find_program(SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT SYSTEM_PYTHON)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(SYSTEM_PYTHON ${Python3_EXECUTABLE})
endif()

# cli_test(NAME LABEL): tests/e2e/NAME.py
function(cli_test name label)
  add_test(NAME e2e.${name} COMMAND ${SYSTEM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/${name}.py $<TARGET_FILE:vindecode>)
  set_tests_properties(e2e.${name} PROPERTIES TIMEOUT 900 LABELS ${label})
endfunction()

cli_test(cli quick)
cli_test(cli_lists slow)
cli_test(cli_quota slow)

add_test(NAME e2e.cli_package COMMAND ${SYSTEM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/cli_package.py
         $<TARGET_FILE:vindecode> ${PROJECT_BINARY_DIR})
set_tests_properties(e2e.cli_package PROPERTIES TIMEOUT 900 LABELS slow)
