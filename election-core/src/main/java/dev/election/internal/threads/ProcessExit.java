package dev.election.internal.threads;

import java.util.Arrays;

/** Detects threads that end the process. Such a thread waits for the shutdown hooks and never returns to its caller. */
final class ProcessExit {

    private ProcessExit() {}

    static boolean isCalledBy(Thread thread) {
        return Arrays.stream(thread.getStackTrace()).anyMatch(ProcessExit::isExit);
    }

    private static boolean isExit(StackTraceElement frame) {
        return frame.getClassName().equals("java.lang.Runtime")
                && frame.getMethodName().equals("exit");
    }
}
