# What the program needs at run time is embedded at build time.
#
# embed_assets(TARGET FILE...) turns each FILE (relative to assets/) into two symbols in TARGET:
#   extern const unsigned char asset_NAME[];   the bytes, with a NUL behind them that does not count
#   extern const size_t asset_NAME_size;
# where NAME is the path with every character that C does not allow turned into "_".
#
# The same file, run with -P, is the converter.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
  file(WRITE "${OUTPUT}" "#include <stddef.h>\nextern const unsigned char asset_${NAME}[];\n"
       "extern const size_t asset_${NAME}_size;\n"
       "const unsigned char asset_${NAME}[] = {\n${bytes}0};\nconst size_t asset_${NAME}_size = ${size};\n")
  return()
endif()

set(EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(embed_assets target)
  foreach(file IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "${file}" name)
    set(input ${PROJECT_SOURCE_DIR}/assets/${file})
    set(output ${CMAKE_CURRENT_BINARY_DIR}/asset_${name}.c)
    add_custom_command(OUTPUT ${output} DEPENDS ${input} ${EMBED_SCRIPT}
                       COMMAND ${CMAKE_COMMAND} -D INPUT=${input} -D OUTPUT=${output} -D NAME=${name} -P ${EMBED_SCRIPT}
                       COMMENT "Embedding assets/${file}" VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endforeach()
endfunction()
