package dev.election.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole conversations of one node, which stand beside this test as texts: lines of input, and indented behind each what the node makes of it.
 * With {@code -Delection.transcripts.write=true} the indented lines are written anew, and the difference shows what a change of the protocol
 * changes.
 */
class TranscriptTest {

    private static final Path FOLDER = Path.of("src/test/resources/transcripts");
    private static final String INDENT = "    ";

    @ParameterizedTest
    @MethodSource("transcripts")
    void the_protocol_does_what_is_written(String name) throws IOException {
        Path file = FOLDER.resolve(name);
        String written = Files.readString(file);
        String actual = replayed(written);
        if (Boolean.getBoolean("election.transcripts.write")) {
            Files.writeString(file, actual);
        } else {
            assertThat(actual).isEqualTo(written);
        }
    }

    static List<String> transcripts() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String replayed(String written) {
        Transcript transcript = new Transcript();
        List<String> lines = new ArrayList<>();
        written.lines().filter(line -> !line.startsWith(INDENT)).forEach(line -> {
            lines.add(line);
            if (!line.isBlank() && !line.startsWith("#")) {
                transcript.take(line).forEach(outcome -> lines.add(INDENT + outcome));
            }
        });
        return String.join("\n", lines) + "\n";
    }
}
