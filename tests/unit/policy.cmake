# Run as a script: what the objects of core/policy call. Nothing there may allocate, read a clock, the environment or the
# locale, lock or do I/O, so every symbol that they need from outside must be on this list.
if(CMAKE_SCRIPT_MODE_FILE)
  set(allowed bcmp memchr memcmp memcpy memset memmove strchr strlen
      text_is text_is_digit text_is_letter text_is_blank text_upper text_lower text_trim)
  execute_process(COMMAND ${NM} -u ${LIBRARY} OUTPUT_VARIABLE listing RESULT_VARIABLE result)
  execute_process(COMMAND ${NM} -g --defined-only ${LIBRARY} OUTPUT_VARIABLE defined)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${NM} cannot read ${LIBRARY}")
  endif()
  string(REGEX MATCHALL "[^ \n]+ [A-Z] [^ \n]+" own "${defined}")
  list(TRANSFORM own REPLACE ".* " "")
  string(REGEX MATCHALL " U [^ \n]+" needed "${listing}")
  list(TRANSFORM needed REPLACE ".* " "")
  list(REMOVE_DUPLICATES needed)
  list(LENGTH needed count)
  # What compilers, hardening and sanitizers put in themselves.
  list(FILTER needed EXCLUDE REGEX "^_GLOBAL_OFFSET_TABLE_$|^__(stack_chk|mem|gcov|llvm|asan|ubsan|tsan|msan|san)")
  list(REMOVE_ITEM needed ${allowed} ${own})
  if(needed OR count EQUAL 0)
    message(FATAL_ERROR "core/policy calls what it must not: ${needed}")
  endif()
  message(STATUS "core/policy needs ${count} symbols, all of them allowed")
  return()
endif()

foreach(part headers planner machines reports properties machine_properties)
  unit_test(policy_${part} core_policy ${CMAKE_CURRENT_LIST_DIR}/policy_${part}.c)
endforeach()
# The linker of macOS cannot do this; there the list of symbols has to do.
if(NOT APPLE)
  unit_test(policy_memory core_policy ${CMAKE_CURRENT_LIST_DIR}/policy_memory.c)
  target_link_options(test_policy_memory PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
endif()

add_test(NAME unit.policy_symbols COMMAND ${CMAKE_COMMAND} -D NM=${CMAKE_NM} -D LIBRARY=$<TARGET_FILE:core_policy>
         -P ${CMAKE_CURRENT_LIST_FILE})
set_tests_properties(unit.policy_symbols PROPERTIES LABELS quick TIMEOUT 60)
