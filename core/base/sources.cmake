room(base SOURCES buffer.c clock.c mailbox.c memory.c random.c text.c NEEDS Threads::Threads)
