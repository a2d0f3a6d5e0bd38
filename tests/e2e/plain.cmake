# --plain: the session is compared with plain.txt; "e2e_plain --update" writes it anew.
e2e_test(plain quick)
target_link_libraries(e2e_plain PRIVATE screen_stage)
e2e_alone(plain)
