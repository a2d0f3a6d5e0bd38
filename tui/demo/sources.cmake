# The embedded upstream: scenarios (scenario_read, reader, library), what they do over time (play, window, placeholder), what the
# service says (vehicles, decode, service, rows), and HTTP (demo, serve). A new scenario is also named in library.c.
set(DEMO_SCENARIOS calm retry-after quota outage slow tour flaky forbidden quota-ratelimit quota-structured quota-epoch
                   quota-retry-after answers-20ms)
set(DEMO_SOURCES decode.c demo.c library.c placeholder.c play.c reader.c rows.c scenario_read.c serve.c service.c vehicles.c
                 window.c)
list(TRANSFORM DEMO_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
list(TRANSFORM DEMO_SCENARIOS REPLACE "(.+)" "scenarios/\\1.json")
target_sources(tui_demo PRIVATE ${DEMO_SOURCES})
embed_assets(tui_demo vehicles.tsv ${DEMO_SCENARIOS})
target_link_libraries(tui_demo PRIVATE need::cjson)
