# What needs the world: the terminal, signals, files, the command line.
target_sources(vindecode PRIVATE main.c options.c option_table.c option_file.c option_help.c field_choice.c loop.c screen.c key_reader.c signals.c crash.c
               headless.c csv_reader.c line_source.c whole_lines.c record.c json_writer.c)
target_link_libraries(vindecode PRIVATE need::cjson need::csv m)
