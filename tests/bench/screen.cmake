# The screen's budgets, beside the least that a program with ncurses can do, alone and with the libraries that vindecode
# loads.
include(${PROJECT_SOURCE_DIR}/tests/support/terminal.cmake)
foreach(name bare_curses linked_curses)
  add_executable(${name} ${CMAKE_CURRENT_LIST_DIR}/bare_curses.c)
  target_link_libraries(${name} PRIVATE compile_rules need::curses)
endforeach()
target_link_options(linked_curses PRIVATE -Wl,--no-as-needed)
target_link_libraries(linked_curses PRIVATE need::curl need::cjson need::microhttpd need::inih need::utf8proc Threads::Threads)

add_executable(bench_screen ${CMAKE_CURRENT_LIST_DIR}/screen_budgets.c)
target_link_libraries(bench_screen PRIVATE test_terminal)
target_compile_definitions(bench_screen PRIVATE VINDECODE_PROGRAM="$<TARGET_FILE:vindecode>"
                           BARE_PROGRAM="$<TARGET_FILE:bare_curses>" LINKED_PROGRAM="$<TARGET_FILE:linked_curses>"
                           HANGING_SCENARIO="${PROJECT_SOURCE_DIR}/tests/e2e/hanging.json"
                           LONG_SCENARIO="${PROJECT_SOURCE_DIR}/tests/e2e/long.json")
add_dependencies(bench_screen vindecode bare_curses linked_curses)
add_test(NAME bench.screen CONFIGURATIONS Bench COMMAND bench_screen --assert)
set_tests_properties(bench.screen PROPERTIES LABELS bench TIMEOUT 300 RUN_SERIAL ON)
