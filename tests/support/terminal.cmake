# A program in a terminal: pseudo terminal and libvterm. Whoever needs it includes this file.
include_guard(GLOBAL)
add_library(test_terminal STATIC ${CMAKE_CURRENT_LIST_DIR}/terminal.c ${CMAKE_CURRENT_LIST_DIR}/pty.c)
target_link_libraries(test_terminal PUBLIC compile_rules need::vterm)
