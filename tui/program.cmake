# What needs the world: the terminal, signals, files, the command line.
target_sources(vindecode PRIVATE main.c options.c option_table.c option_file.c option_help.c field_choice.c loop.c plain.c plain_say.c screen.c key_reader.c signals.c crash.c
               headless.c headless_list.c csv_reader.c line_source.c resume.c output_file.c whole_lines.c
               record.c json_writer.c csv_writer.c text_writer.c
               errands.c spool.c save.c copy.c
               progress.c report.c decision_log.c metrics.c)
target_link_libraries(vindecode PRIVATE need::cjson need::csv m)
