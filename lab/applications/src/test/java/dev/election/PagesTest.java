package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of pages have what the sources have. */
class PagesTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path JAVA = Path.of("src", "main", "java", "dev", "election");

    /** Of a table of the model: the name of a search, and how many states it has. */
    private static final Pattern SEARCH = Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| [^|]+ \\| ([0-9,]+) \\| ");

    /** Of an experiment: what happened, after the time and the name. */
    private static final Pattern HAPPENED = Pattern.compile("(?m)^\\d\\d:\\d\\d:[\\d.]+ +\\S+ +(.+)$");

    @Test
    void the_picture_of_the_design_shows_the_modules_and_packages_of_the_tree() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process check = new ProcessBuilder(java.toString(), "--source", "17", "lab/structure", "--check")
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(said).isZero();
    }

    @Test
    void the_design_names_each_part_of_a_module() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/design.md"));
        assertThat(internalParts()).hasSizeGreaterThan(10);
        assertThat(internalParts())
                .filteredOn(part -> !Pattern.compile("\\b" + part.getFileName() + "\\b")
                        .matcher(page)
                        .find())
                .as("packages that docs/design.md lacks")
                .isEmpty();
    }

    @Test
    void the_page_of_the_model_has_the_counts_of_its_searches() throws IOException {
        Map<String, String> searched = Files.readAllLines(ROOT.resolve("lab/model/searched")).stream()
                .skip(1)
                .map(line -> line.split(" "))
                .collect(Collectors.toMap(found -> found[0], found -> found[1]));
        Map<String, String> shown = SEARCH.matcher(Files.readString(ROOT.resolve("lab/model/README.md")))
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1), row -> row.group(2).replace(",", "")));
        assertThat(shown).containsExactlyInAnyOrderEntriesOf(searched);
    }

    @Test
    void the_playground_and_the_sample_say_what_the_page_of_experiments_shows() throws IOException {
        String sources = Files.readString(
                        ROOT.resolve("lab/playground/src/main/java/dev/election/playground/Machine.java"))
                + Files.readString(ROOT.resolve("sample-app/src/main/java/com/example/sample/LeadershipNews.java"));
        assertThat(HAPPENED.matcher(Files.readString(ROOT.resolve("docs/break-it-yourself.md")))
                        .results()
                        .map(line -> line.group(1).replaceAll("default|\\d{5,}|app-\\d|[A-Z]+_?[A-Z]+(?=\\), f)", "{}")))
                .hasSizeGreaterThan(10)
                .allMatch(text -> sources.contains("\"" + text + "\""));
    }

    @Test
    void the_beans_of_a_store_of_one_s_own_compile(@TempDir Path folder) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/writing-a-store.md"));
        int begin = page.indexOf("```java\n") + "```java\n".length();
        String beans = page.substring(begin, page.indexOf("```", begin))
                .replaceFirst("\n\n", "\nimport com.example.FolderRecordStore;\nclass Beans {\n");
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        said,
                        said,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        Files.writeString(folder.resolve("Beans.java"), beans + "}")
                                .toString(),
                        ROOT.resolve("election-store-test/src/test/java/com/example/FolderRecordStore.java")
                                .toString());
        assertThat(result).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }

    /** The packages below those that are internal. */
    private static List<Path> internalParts() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve(JAVA))
                    .filter(Files::isDirectory)
                    .flatMap(PagesTest::folders)
                    .filter(folder -> folder.getParent().endsWith("internal"))
                    .toList();
        }
    }

    private static Stream<Path> folders(Path below) {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(Files::isDirectory).toList().stream();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
