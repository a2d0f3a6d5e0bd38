# A few hundred events with every run of the tests. Ten thousand for each of four seeds, all at once because they mostly
# wait: ctest --test-dir build -C Long -L long -j 4
add_executable(e2e_random_screen ${CMAKE_CURRENT_LIST_DIR}/random_screen.c ${CMAKE_CURRENT_LIST_DIR}/random_judge.c
                                 ${CMAKE_CURRENT_LIST_DIR}/random_calls.c)
target_link_libraries(e2e_random_screen PRIVATE e2e_drive tui_model)
add_dependencies(e2e_random_screen vindecode)
add_test(NAME e2e.random_screen COMMAND e2e_random_screen --seed 1 --events 600)
set_tests_properties(e2e.random_screen PROPERTIES TIMEOUT 600 LABELS slow)
foreach(seed RANGE 2 5)
  add_test(NAME e2e.random_screen_${seed} CONFIGURATIONS Long COMMAND e2e_random_screen --seed ${seed} --events 10000)
  set_tests_properties(e2e.random_screen_${seed} PROPERTIES TIMEOUT 3600 LABELS long)
endforeach()
