unit_test(engine_simulated core_engine ${CMAKE_CURRENT_LIST_DIR}/engine_simulated.c ${CMAKE_CURRENT_LIST_DIR}/engine_world.c)
