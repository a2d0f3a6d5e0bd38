# Kinds of terminals: against libvterm, and in tmux, whose captures are compared with terms/*.txt.
e2e_test(terms slow)
add_test(NAME e2e.terms_tmux COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/terms_tmux.sh $<TARGET_FILE:vindecode>)
set_tests_properties(e2e.terms_tmux PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 LABELS slow)
e2e_alone(terms terms_tmux)
