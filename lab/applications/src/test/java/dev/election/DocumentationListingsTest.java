package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * The listings of the documents compile, with the imports of their page so far. What a reader has himself (a field, a method or a type of
 * his application) may be missing; syntax, imports, and what a listing calls on a type of a library may not.
 */
class DocumentationListingsTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern JAVA = Pattern.compile("(?ms)^ *```java\\n(.*?)^ *```");
    private static final Pattern IMPORT = Pattern.compile("(?m)^ *import [^;]+;\\n");
    private static final Pattern LEFT_OUT = Pattern.compile("(?m)(?<=\\{ )\\.\\.\\.(?= })|^ *\\.\\.\\.$");

    /** A symbol that is missing in a package or in a type other than the listing's own, which has the fields and methods of the reader. */
    private static final Pattern OF_A_LIBRARY =
            Pattern.compile("symbol: .*\\n? *location: .*(package|class|interface) (?!listing\\d)[\\w.]+");

    private static final Set<String> OF_WHAT_IS_LEFT_OUT = Set.of(
            "compiler.err.missing.ret.stmt",
            "compiler.err.var.might.not.have.been.initialized",
            "compiler.err.already.defined");

    private static final Pattern MISSING_TYPE = Pattern.compile("symbol: +(class|variable) (\\w+)");

    private static final List<String> PACKAGES = List.of(
            "java.io",
            "java.nio.file",
            "java.time",
            "java.util.concurrent",
            "java.util.function",
            "org.quartz",
            "org.springframework.beans.factory.annotation",
            "org.springframework.boot.autoconfigure",
            "org.springframework.context",
            "org.springframework.context.annotation",
            "org.springframework.context.event",
            "org.springframework.http",
            "org.springframework.jdbc.core",
            "org.springframework.scheduling.annotation",
            "org.springframework.stereotype",
            "org.springframework.transaction.annotation",
            "org.springframework.web.bind.annotation");

    @Test
    void every_listing_compiles() throws IOException {
        List<Listing> listings = new ArrayList<>();
        for (Path page : pages()) {
            Set<String> imports = new TreeSet<>(
                    Set.of("import java.util.List;\n", "import java.util.Map;\n", "import java.util.Optional;\n"));
            for (String listing : listings(page)) {
                IMPORT.matcher(listing)
                        .results()
                        .forEach(found -> imports.add(found.group().stripLeading()));
                String code =
                        LEFT_OUT.matcher(IMPORT.matcher(listing).replaceAll("")).replaceAll(";");
                String name = "listing" + listings.size();
                listings.add(
                        new Listing(ROOT.relativize(page) + ":\n" + listing, name, String.join("", imports), code));
            }
        }
        assertThat(problems(listings)).isEmpty();
        assertThat(listings).hasSizeGreaterThan(20);
    }

    @Test
    void a_type_of_the_library_is_imported_in_the_first_snippet_of_its_page_that_has_it() throws IOException {
        List<String> types = ExportedSignatures.types();
        List<String> missing = new ArrayList<>();
        int imports = 0;
        for (Path page : pages()) {
            StringBuilder soFar = new StringBuilder();
            for (String snippet : listings(page)) {
                soFar.append(snippet);
                for (String type : types) {
                    boolean isImported = soFar.indexOf("import " + type + ";") >= 0;
                    imports += isImported ? 1 : 0;
                    if (!isImported && names(snippet, type)) {
                        missing.add(ROOT.relativize(page) + ": " + type);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(imports).isGreaterThan(30);
    }

    private static boolean names(String snippet, String type) {
        String simple = type.substring(type.lastIndexOf('.') + 1);
        return Pattern.compile("(?<![\\w.])" + simple + "\\b").matcher(snippet).find();
    }

    private static List<String> problems(List<Listing> listings) throws IOException {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-implicit:none",
                "-Xmaxerrs",
                "1000",
                "-classpath",
                System.getProperty("java.class.path"),
                "-sourcepath",
                sources());
        task(found, options, listings).analyze();
        return found.getDiagnostics().stream()
                .filter(each -> each.getSource() instanceof Listing)
                .filter(each -> isProblem(each.getCode(), each.getMessage(Locale.ENGLISH)))
                .map(each -> each.getMessage(Locale.ENGLISH) + " in " + ((Listing) each.getSource()).where)
                .toList();
    }

    private static boolean isProblem(String code, String message) {
        if (code.contains("cant.resolve")) {
            Matcher missing = MISSING_TYPE.matcher(message);
            return OF_A_LIBRARY.matcher(message).find() || missing.find() && isKnown(missing.group(2));
        }
        boolean isNotOurs = code.contains("doesnt.exist") && !message.contains("package dev.election");
        return code.startsWith("compiler.err") && !isNotOurs && !OF_WHAT_IS_LEFT_OUT.contains(code);
    }

    /** Whether an import of it is missing: it is no type of the reader's application. */
    private static boolean isKnown(String type) {
        return PACKAGES.stream()
                .map(each -> (each + "." + type).replace('.', '/') + ".class")
                .anyMatch(file -> ClassLoader.getSystemResource(file) != null);
    }

    private static JavacTask task(
            DiagnosticCollector<JavaFileObject> found, List<String> options, List<Listing> listings) {
        return (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, found, options, null, listings);
    }

    /** Those of the modules, since not all of them are on the class path of this one. */
    private static String sources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src/main/java").toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** Members of a class, or else statements, in a package of their own. */
    private static final class Listing extends SimpleJavaFileObject {

        private final String where;
        private final String source;

        Listing(String where, String name, String imports, String code) throws IOException {
            super(URI.create("string:///" + name + "/Listing.java"), Kind.SOURCE);
            this.where = where;
            String members = "package " + name + ";\n" + imports + "abstract class Listing {\n" + code + "\n}";
            source = parses(members)
                    ? members
                    : members.replace("class Listing {", "class Listing { void listing() throws Exception {") + "}";
        }

        private static boolean parses(String text) throws IOException {
            DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
            JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Listing.java"), Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoresEncodingErrors) {
                    return text;
                }
            };
            ((JavacTask) ToolProvider.getSystemJavaCompiler()
                            .getTask(null, null, found, List.of(), null, List.of(file)))
                    .parse();
            return found.getDiagnostics().isEmpty();
        }

        @Override
        public CharSequence getCharContent(boolean ignoresEncodingErrors) {
            return source;
        }
    }

    private static List<String> listings(Path page) throws IOException {
        return JAVA.matcher(Files.readString(page))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
