package dev.election.support;

import java.util.concurrent.ThreadFactory;

/** Threads that all have one name, and that don't keep the process alive. */
public record DaemonThreads(String name) implements ThreadFactory {

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
