room(net SOURCES network.c NEEDS core_engine need::curl Threads::Threads)
