unit_test(net_call core_net ${CMAKE_CURRENT_LIST_DIR}/net_call.c)
target_link_libraries(test_net_call PRIVATE test_raw_responder)
