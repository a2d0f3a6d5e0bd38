target_sources(tui_model PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/text_piece.c
  ${CMAKE_CURRENT_LIST_DIR}/frame.c)
target_link_libraries(tui_model PRIVATE need::utf8proc)
