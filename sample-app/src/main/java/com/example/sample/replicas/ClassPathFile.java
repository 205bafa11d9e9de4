package com.example.sample.replicas;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;

/** The class path of this process in an argument file of {@code java}: a command line with it would be too long for Windows. */
public final class ClassPathFile {

    private ClassPathFile() {}

    /** Writes one that is deleted when this process ends. */
    public static Path write() throws IOException {
        Path file = Files.createTempFile("sample-class-path-", ".txt");
        file.toFile().deleteOnExit();
        // java reads it in the encoding of the system.
        Files.writeString(
                file,
                option(System.getProperty("java.class.path")),
                Charset.forName(System.getProperty("native.encoding")));
        return file;
    }

    /** Quoted: folders have spaces, and those of Windows have backslashes. */
    static String option(String classPath) {
        return "-cp \"" + classPath.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n";
    }
}
