room(net SOURCES network.c call.c name_check.c base_url.c NEEDS core_engine need::curl Threads::Threads)
