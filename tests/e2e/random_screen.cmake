# A few hundred events with every run of the tests; more by hand: build/tests/e2e_random_screen --seed N --events 10000
add_executable(e2e_random_screen ${CMAKE_CURRENT_LIST_DIR}/random_screen.c)
target_link_libraries(e2e_random_screen PRIVATE e2e_drive tui_model)
add_dependencies(e2e_random_screen vindecode)
add_test(NAME e2e.random_screen COMMAND e2e_random_screen --seed 1 --events 600)
set_tests_properties(e2e.random_screen PROPERTIES TIMEOUT 600 LABELS slow)
