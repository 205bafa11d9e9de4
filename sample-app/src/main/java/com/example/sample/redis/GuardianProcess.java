package com.example.sample.redis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.ClassUtils;

/**
 * {@link RedisGuardian} as a process that does not end with this one.
 *
 * @param process it
 * @param diary the file that tells how it fares
 */
record GuardianProcess(Process process, Path diary) {

    /** Present where this application runs from its repackaged jar, of which a class path alone finds no class. */
    private static final String JAR_LAUNCHER = "org.springframework.boot.loader.launch.PropertiesLauncher";

    /** Returns at once. */
    static GuardianProcess start(RedisPort port) throws IOException {
        String name = "sample-redis-" + System.getProperty("user.name") + "-" + port.port() + ".log";
        Path diary = Path.of(System.getProperty("java.io.tmpdir"), name);
        // Its output must not go where ours goes: whoever reads that to its end would wait for the guardian as well.
        Process process = new ProcessBuilder(OwnSession.of(command(port)))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(diary.toFile()))
                .start();
        return new GuardianProcess(process, diary);
    }

    boolean hasEnded() {
        return !process.isAlive();
    }

    private static List<String> command(RedisPort port) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        if (ClassUtils.isPresent(JAR_LAUNCHER, ClassLoader.getSystemClassLoader())) {
            command.addAll(List.of("-Dloader.main=" + RedisGuardian.class.getName(), JAR_LAUNCHER));
        } else {
            command.add(RedisGuardian.class.getName());
        }
        command.add(Integer.toString(port.port()));
        return command;
    }
}
