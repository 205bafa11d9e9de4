package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.jobs.JobRun;
import dev.election.members.Member;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;

/** Lists of pages have what the sources have. */
class PagesTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path JAVA = Path.of("src", "main", "java", "dev", "election");

    /** Of a table of the model: the name of a search, and how many states it has. */
    private static final Pattern SEARCH = Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| [^|]+ \\| ([0-9,]+) \\| ");

    /** Of an experiment: what happened, after the time and the name. */
    private static final Pattern HAPPENED = Pattern.compile("(?m)^\\d\\d:\\d\\d:[\\d.]+ +\\S+ +(.+)$");

    private static final Pattern STATUS = Pattern.compile("HttpStatus\\.([A-Z_]+)");
    private static final Pattern STATUS_ROW = Pattern.compile("(?m)^\\| (\\d{3}) \\|");
    private static final Pattern CODE = Pattern.compile("`([a-z-]+)`");

    /** A word for metrics: a constant, or what follows a status or an election. */
    private static final Pattern OUTCOME = Pattern.compile(
            "(?:(?:LOCAL|FORWARDED|FAILED|CLIENT|MISDIRECTED) =|HttpStatus\\.\\w+,|election(?:\\(\\))?,)\\s*\"([a-z-]+)\"");

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
                        .map(line ->
                                line.group(1).replaceAll("default|\\d{5,}|app-\\d|[A-Z]+_?[A-Z]+(?=\\), f)", "{}")))
                .hasSizeGreaterThan(10)
                .allMatch(text -> sources.contains("\"" + text + "\""));
    }

    @Test
    void the_pages_name_each_constant_of_a_list() throws IOException {
        assertThat(section("members.md", "What a member says of itself"))
                .contains(
                        codes(Arrays.stream(Member.class.getRecordComponents()).map(RecordComponent::getName)));
        assertThat(section("scheduling.md", "Events"))
                .contains(codes(Arrays.stream(LeadershipEvent.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)));
        assertThat(section("scheduling.md", "What ran"))
                .contains(codes(Arrays.stream(JobRun.Outcome.values()).map(Enum::name)));
        assertThat(section("steering.md", "What moved leadership, and why"))
                .contains(codes(Arrays.stream(LossReason.values()).map(Enum::name)));
    }

    @Test
    void the_page_of_routing_has_the_statuses_and_outcomes_of_the_router() throws IOException {
        Set<String> statuses = new TreeSet<>();
        Set<String> outcomes = new TreeSet<>();
        for (String part : List.of("decision", "forward")) {
            for (Path source : sources("election-routing", "routing/internal/" + part)) {
                String text = Files.readString(source);
                STATUS.matcher(text).results().forEach(found -> statuses.add(found.group(1)));
                OUTCOME.matcher(text).results().forEach(found -> outcomes.add(found.group(1)));
            }
        }
        assertThat(STATUS_ROW
                        .matcher(section("routing.md", "What a client sees"))
                        .results()
                        .map(row -> HttpStatus.valueOf(Integer.parseInt(row.group(1)))
                                .name()))
                .containsExactlyInAnyOrderElementsOf(statuses);
        String properties = section("routing.md", "Properties");
        String shown = properties.substring(properties.indexOf("`outcome`:"), properties.indexOf("For `forwarded`"));
        assertThat(CODE.matcher(shown).results().map(found -> found.group(1)).filter(found -> !found.equals("outcome")))
                .containsExactlyInAnyOrderElementsOf(outcomes);
    }

    private static String section(String page, String heading) throws IOException {
        String text = Files.readString(ROOT.resolve("docs").resolve(page));
        String begin = "# " + heading + "\n";
        assertThat(text).contains(begin);
        return text.substring(text.indexOf(begin) + begin.length()).split("\n#", 2)[0];
    }

    private static List<String> codes(Stream<String> names) {
        return names.map(name -> "`" + name + "`").toList();
    }

    private static List<Path> sources(String module, String folder) throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve(module).resolve(JAVA).resolve(folder))) {
            return files.toList();
        }
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
