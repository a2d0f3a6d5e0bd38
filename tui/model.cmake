# What tests can use without a terminal: the model, its update, and the view as a grid of cells.
set(model_sources
    text_piece.c frame.c line_editor.c list.c keys.c words.c words_failure.c words_problem.c
    app.c app_keys.c app_can.c app_field.c app_page.c app_prompt.c app_list.c app_mouse.c
    app_verdict.c app_results.c app_choices.c
    view.c view_page.c view_vin.c view_status.c view_card.c
    view_keys.c view_help.c view_history.c view_list.c view_meter.c view_choose.c view_details.c view_large.c)
list(TRANSFORM model_sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
target_sources(tui_model PRIVATE ${model_sources})
target_link_libraries(tui_model PRIVATE need::utf8proc)
