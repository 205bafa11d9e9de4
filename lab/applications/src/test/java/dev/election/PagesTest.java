package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lists of pages have what the sources have. */
class PagesTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path JAVA = Path.of("src", "main", "java", "dev", "election");

    /** Of a table of the model: the name of a search, and how many states it has. */
    private static final Pattern SEARCH = Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| [^|]+ \\| ([0-9,]+) \\| ");

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
