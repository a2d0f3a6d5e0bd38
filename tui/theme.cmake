# How roles look and what the window is called, without a terminal.
add_library(tui_theme STATIC ${CMAKE_CURRENT_LIST_DIR}/theme.c ${CMAKE_CURRENT_LIST_DIR}/title.c)
target_link_libraries(tui_theme PUBLIC tui_model PRIVATE need::inih)
embed_assets(tui_theme themes/default.ini themes/light.ini themes/high-contrast.ini themes/monochrome.ini)
