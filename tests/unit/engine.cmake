# The engine in virtual time; every program with the same world.
foreach(name rows rows_later caches admission meter reports single_flight groups pacing random)
  unit_test(engine_${name} core_engine ${CMAKE_CURRENT_LIST_DIR}/engine_${name}.c ${CMAKE_CURRENT_LIST_DIR}/engine_world.c)
endforeach()
