# --log, --metrics and --stats with the screen and with --plain.
e2e_test(reports quick)
target_link_libraries(e2e_reports PRIVATE core_base)
