# Kinds of terminals: against libvterm, and in tmux, whose captures are compared with terms/*.txt.
e2e_test(terms slow)
set_tests_properties(e2e.terms PROPERTIES RUN_SERIAL TRUE)
