package dev.election.spring.lifecycle;

import java.util.List;

/** Finds the call in which a thread that starts an application is. */
final class StartingThread {

    private static final String BOOT = "org.springframework.boot.SpringApplication";
    private static final String CALL_OF_RUNNER = "callRunner";
    private static final List<String> LIBRARIES =
            List.of("org.springframework.", "java.", "javax.", "jdk.", "sun.", "kotlin.");

    private StartingThread() {}

    /** The method of the application that has been called and has not returned, as text. */
    static String position(Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace();
        int boot = 0;
        while (boot < frames.length && !frames[boot].getClassName().equals(BOOT)) {
            boot++;
        }
        boolean isRunner = boot < frames.length && frames[boot].getMethodName().contains(CALL_OF_RUNNER);
        int called = boot - 1;
        while (called > 0 && isOfLibrary(frames[called])) {
            called--;
        }
        String what = called < 0 ? "its end" : (isRunner ? "the runner " : "") + line(frames[called]);
        return what + ", on the thread '" + thread.getName() + "'";
    }

    /** Describes a frame without the names of class loaders and modules. */
    private static String line(StackTraceElement frame) {
        String method = frame.getClassName() + "." + frame.getMethodName();
        return frame.getFileName() == null
                ? method
                : method + "(" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
    }

    private static boolean isOfLibrary(StackTraceElement frame) {
        return LIBRARIES.stream().anyMatch(frame.getClassName()::startsWith);
    }
}
