package com.example.sample.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Takes a command out of the session of its terminal: Ctrl+C there signals every process in the foreground, children too. */
public final class OwnSession {

    private OwnSession() {}

    /** The same command in a session of its own, or as it is where the machine has no means for that. */
    public static List<String> of(List<String> command) {
        List<String> detached = new ArrayList<>();
        if (isInstalled("setsid")) {
            detached.add("setsid");
        } else if (isInstalled("perl")) {
            detached.addAll(List.of("perl", "-MPOSIX", "-e", "POSIX::setsid(); exec @ARGV or die", "--"));
        }
        detached.addAll(command);
        return detached;
    }

    private static boolean isInstalled(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(path)
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
