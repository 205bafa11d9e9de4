package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Javadoc is read without the lines above it: its first sentence names its subject, or begins with a verb. */
class JavadocSentencesTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern WITHOUT_SUBJECT =
            Pattern.compile("/\\*\\*[\\s*]*+(The same|That|Those|It|They|As|What|Whoever|Who|By|Of)\\b[^\\n]*");

    @ParameterizedTest
    @MethodSource("modules")
    void no_first_sentence_lacks_its_subject(Path module) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources(module)) {
            find(Files.readString(source))
                    .forEach(line -> found.add(ROOT.relativize(source).toString() + line));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void a_sentence_is_found_on_the_line_of_its_comment_and_on_the_next() {
        assertThat(find("\n/** As before. */\nint a;\n/**\n * The same later.\n */\n"))
                .containsExactly(":2: As before. */", ":5: The same later.");
        assertThat(find("/** Its name. */ /** Whose name. */ /* That. */ // As \"/**\""))
                .isEmpty();
    }

    private static List<String> find(String text) {
        List<String> found = new ArrayList<>();
        Matcher sentence = WITHOUT_SUBJECT.matcher(text);
        while (sentence.find()) {
            long line = 1
                    + text.substring(0, sentence.start(1))
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            found.add(":" + line + ": " + text.substring(sentence.start(1), sentence.end()));
        }
        return found;
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.filter(folder -> String.valueOf(folder.getFileName()).startsWith("election-"))
                    .filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .map(ROOT::relativize)
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> sources(Path module) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }
}
