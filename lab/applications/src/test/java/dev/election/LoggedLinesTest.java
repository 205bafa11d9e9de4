package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import dev.election.support.ReadableDuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lines of the log that pages quote are logged, and a line that does not say what to do is explained. */
class LoggedLinesTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Set<String> LEVELS = Set.of("info", "warn", "error");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (.*?) \\|");
    private static final Pattern NODE_LINE = Pattern.compile("(?m)^app-[0-9a-z]+ .*");
    private static final Pattern PROBLEM = Pattern.compile("\"(?:problem|action)\": \"([^\"]+ [^\"]+)\"");
    private static final Pattern VALUE = Pattern.compile("\\{}|\\.\\.\\.");

    /** Of the words that lines have in common, such as a value and a colon. */
    private static final int TOO_SHORT = 12;

    /** A clause that tells the reader to do something, or that the library tries again. */
    private static final Pattern ACTION =
            Pattern.compile("(?i)(?:[.:,;] |\\b(?:and|or) )(?:set|check|find out|look|restart|grant"
                    + "|allow|remove|delete|synchronize|fence|abdicate|let|action)\\b|\\badd @"
                    + "|\\b(?:is|are) (?:repeated|retried|tried again)|another one is opened");

    /** What a line gets its action from, if it is not in its own words. */
    private static final Pattern ACTION_OF_AN_ARGUMENT = Pattern.compile("\\b(?:actions?|getAction)\\b");

    private static final Set<String> logged = new TreeSet<>();
    private static final Set<String> unexplained = new TreeSet<>();
    private static final Set<String> texts = new TreeSet<>();

    private static List<String> listed;

    @BeforeAll
    static void read_sources_and_page() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask parser = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources()));
            for (CompilationUnitTree source : parser.parse()) {
                new Lines().scan(source, null);
            }
        }
        listed = listedLines();
    }

    @Test
    void a_warning_or_error_that_does_not_say_what_to_do_is_listed() {
        assertThat(logged).hasSizeGreaterThan(100);
        assertThat(unexplained).hasSizeBetween(30, 80);
        assertThat(unexplained.stream().filter(line -> listed.stream().noneMatch(entry -> isOf(entry, line))))
                .as("lines without an action that docs/troubleshooting.md lacks")
                .isEmpty();
    }

    @Test
    void every_line_that_is_listed_is_logged() {
        assertThat(listed).hasSizeGreaterThan(30);
        assertThat(listed.stream().filter(entry -> !isInTheSources(entry)))
                .as("lines of docs/troubleshooting.md that nothing logs")
                .isEmpty();
    }

    @Test
    void every_line_with_a_value_that_a_page_quotes_is_logged() throws IOException {
        List<String> quoted = new ArrayList<>();
        for (Path page : pages()) {
            CODE.matcher(BLOCK.matcher(Files.readString(page)).replaceAll(""))
                    .results()
                    .map(found -> found.group(1).replaceAll("\\s+", " "))
                    .filter(text -> text.contains("{}") && text.contains(" "))
                    .forEach(quoted::add);
        }
        assertThat(quoted).hasSizeGreaterThan(20);
        assertThat(quoted.stream().filter(line -> !isInTheSources(line)))
                .as("lines of pages that nothing logs")
                .isEmpty();
    }

    @Test
    void the_lines_of_nodes_that_pages_show_are_like_those_that_are_logged() throws IOException {
        List<String> shown = new ArrayList<>();
        // The README shows what the sample application prints.
        for (Path page : pages().stream()
                .filter(each -> each.getParent().endsWith("docs"))
                .toList()) {
            NODE_LINE.matcher(Files.readString(page)).results().forEach(line -> shown.add(line.group()));
        }
        assertThat(shown).hasSizeGreaterThan(5).allMatch(line -> logged.stream().anyMatch(text -> isOf(text, line)));
    }

    /** The token is the time of the grant, so two of them say how long the first of two leaders has led. */
    @Test
    void the_time_of_a_leadership_that_operators_are_shown_is_that_between_its_tokens() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/operations.md"));
        long next = Long.parseLong(page.replaceAll("(?s).* follows [^,]*, token (\\d+).*", "$1"));
        String held = page.replaceAll("(?s).* no longer leads [^\n]* after (.*?) with token \\d+\n.*", "$1");
        long token = Long.parseLong(page.replaceAll("(?s).* no longer leads [^\n]* with token (\\d+)\n.*", "$1"));
        assertThat(held).isEqualTo(ReadableDuration.of(Duration.ofMillis(next - token)));
    }

    @Test
    void the_problems_shown_to_operators_are_those_of_the_sources() throws IOException {
        List<String> shown = PROBLEM.matcher(Files.readString(ROOT.resolve("docs/operations.md")))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(shown).hasSizeGreaterThan(2).allMatch(problem -> texts.stream()
                .anyMatch(text -> text.strip().length() > TOO_SHORT && problem.contains(text.strip())));
    }

    private static boolean isInTheSources(String quoted) {
        return parts(quoted).stream().allMatch(part -> texts.stream().anyMatch(text -> text.contains(part)));
    }

    /** Whether the line has the words of the entry in their order. */
    private static boolean isOf(String entry, String line) {
        int from = 0;
        for (String part : parts(entry)) {
            int found = line.indexOf(part, from);
            if (found < 0) {
                return false;
            }
            from = found + part.length();
        }
        return from > 0;
    }

    /** Those between the values. */
    private static List<String> parts(String line) {
        List<String> parts = Arrays.stream(VALUE.split(line)).map(String::strip).toList();
        return length(parts) < TOO_SHORT ? List.of() : parts;
    }

    private static int length(List<String> parts) {
        return parts.stream().mapToInt(String::length).sum();
    }

    /** Of the sections with texts of the library the first columns, since the others have settings in the same letters. */
    private static List<String> listedLines() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/troubleshooting.md"));
        return Stream.of("\n### The start fails\n", "\n## Log messages\n")
                .map(heading -> page.substring(page.indexOf(heading) + heading.length()))
                .map(section -> section.split("\n##")[0])
                .flatMap(section -> ROW.matcher(section).results())
                .flatMap(row -> CODE.matcher(row.group(1)).results())
                .map(found -> found.group(1))
                .toList();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path code : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .filter(code -> !code.startsWith(ROOT.resolve("sample-app")))
                    .toList()) {
                try (Stream<Path> files = Files.walk(code)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    /** Collects what a source logs, and all its texts. */
    private static final class Lines extends TreeScanner<Void, Void> {

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            String method = call.getMethodSelect().toString();
            String name = method.substring(method.lastIndexOf('.') + 1);
            if (name.equals("log")) {
                // With a level, and what one line has in common with others.
                call.getArguments().forEach(text -> add(call, lines(text)));
            } else if (LEVELS.contains(name) && !method.equals("Answer.error")) {
                call.getArguments().stream()
                        .map(Lines::lines)
                        .filter(lines -> !lines.isEmpty())
                        .findFirst()
                        .ifPresent(lines -> add(call, lines));
            }
            return super.visitMethodInvocation(call, nothing);
        }

        private static void add(MethodInvocationTree call, List<String> lines) {
            logged.addAll(lines);
            String arguments = call.getArguments().toString();
            boolean isNews = call.getMethodSelect().toString().endsWith("info")
                    || arguments.contains("Level.INFO") && !arguments.contains("Level.WARN");
            if (!isNews && !ACTION_OF_AN_ARGUMENT.matcher(arguments).find()) {
                lines.stream().filter(line -> !ACTION.matcher(line).find()).forEach(unexplained::add);
            }
        }

        private static List<String> lines(ExpressionTree text) {
            return possible(text).stream()
                    .filter(line -> length(Arrays.asList(VALUE.split(line))) >= TOO_SHORT)
                    .toList();
        }

        @Override
        public Void visitBinary(BinaryTree concatenation, Void nothing) {
            texts.addAll(possible(concatenation));
            return super.visitBinary(concatenation, nothing);
        }

        @Override
        public Void visitLiteral(LiteralTree literal, Void nothing) {
            texts.add(String.valueOf(literal.getValue()));
            return null;
        }

        private static List<String> possible(ExpressionTree text) {
            if (text instanceof LiteralTree literal) {
                return List.of(String.valueOf(literal.getValue()));
            }
            if (text instanceof ConditionalExpressionTree choice) {
                List<String> both = new ArrayList<>(possible(choice.getTrueExpression()));
                both.addAll(possible(choice.getFalseExpression()));
                return both;
            }
            if (text instanceof BinaryTree concatenation && concatenation.getKind() == Tree.Kind.PLUS) {
                return possible(concatenation.getLeftOperand()).stream()
                        .flatMap(left -> possible(concatenation.getRightOperand()).stream()
                                .map(right -> left + right))
                        .toList();
            }
            // A value, or a line that a constant has or a caller says.
            return List.of("{}");
        }
    }
}
