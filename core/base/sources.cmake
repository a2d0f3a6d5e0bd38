room(base SOURCES buffer.c clock.c mailbox.c memory.c random.c NEEDS Threads::Threads)
