# The network room. net_names has a getaddrinfo() of its own linked in; -rdynamic makes libcurl see it.
unit_test(net_call core_net ${CMAKE_CURRENT_LIST_DIR}/net_call.c)
target_link_libraries(test_net_call PRIVATE test_raw_responder)

unit_test(net_network core_net ${CMAKE_CURRENT_LIST_DIR}/net_network.c ${CMAKE_CURRENT_LIST_DIR}/net_session.c)
target_link_libraries(test_net_network PRIVATE test_raw_responder)

unit_test(net_names core_net ${CMAKE_CURRENT_LIST_DIR}/net_names.c ${CMAKE_CURRENT_LIST_DIR}/net_session.c)
target_link_libraries(test_net_names PRIVATE test_slow_getaddrinfo ${CMAKE_DL_LIBS})
set_target_properties(test_net_names PROPERTIES ENABLE_EXPORTS ON)

unit_test(net_tls core_net ${CMAKE_CURRENT_LIST_DIR}/net_tls.c ${CMAKE_CURRENT_LIST_DIR}/net_session.c)
set_tests_properties(unit.net_tls PROPERTIES SKIP_RETURN_CODE 77)

# They measure how long cancel and quit take: nothing else runs beside them.
set_tests_properties(unit.net_network unit.net_names unit.net_tls PROPERTIES RUN_SERIAL ON)
