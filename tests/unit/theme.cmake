unit_test(theme tui_theme ${CMAKE_CURRENT_LIST_DIR}/theme.c)
target_link_libraries(test_theme PRIVATE m)
unit_test(title tui_theme ${CMAKE_CURRENT_LIST_DIR}/title.c)
