package dev.election.autoconfigure.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.OperatedApplication;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The files of the page by real HTTP, on both kinds of server. What a browser does with them is tested with a browser. */
@ParameterizedClass(name = "{0}")
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
class LeaderConsoleTest {

    private static final String EXPOSED = "management.endpoints.web.exposure.include=leader,leaderconsole";

    private static final int HEAVIEST = 100_000;

    /** What runs in spite of a policy is not there in the first place. */
    private static final Pattern INLINE =
            Pattern.compile("<style|\\sstyle=|\\son[a-z]+=|javascript:|<script(?![^>]* src=)|<script[^>]*>[^<]");

    private static final Pattern TEXT_AS_MARKUP = Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(|new Function|createContextualFragment|srcdoc|\\.cssText|setAttribute\\('style");

    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"]+)\"|\\} from '([^']+)';");

    @Parameter
    WebApplicationType kind;

    @AutoClose
    private OperatedApplication application;

    @Test
    void serves_a_page_and_each_file_that_it_refers_to_and_nothing_else() throws IOException {
        start(EXPOSED);

        HttpResponse<String> page = application.get("leaderconsole");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(type(page)).isEqualTo("text/html;charset=utf-8");
        assertThat(page.body())
                .contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self';")
                .contains("<meta name=\"leader-endpoint\" content=\"leader\">")
                .doesNotContainPattern(INLINE);

        Map<String, String> files = filesOf(page.body());
        assertThat(files.keySet()).isEqualTo(filesOfTheJar());
        files.forEach((name, text) -> assertThat(text).as(name).doesNotContainPattern(TEXT_AS_MARKUP));
        int weight = page.body().getBytes(StandardCharsets.UTF_8).length
                + files.values().stream()
                        .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
                        .sum();
        assertThat(weight).as("the weight of all files").isLessThan(HEAVIEST);

        HttpResponse<String> withSlash = application.get("leaderconsole/");
        assertThat(withSlash.statusCode()).as("with a slash").isEqualTo(200);
        assertThat(type(withSlash)).isEqualTo("text/html;charset=utf-8");
        assertThat(withSlash.body())
                .contains("src=\"./main.js\"")
                .contains("<meta name=\"leader-endpoint\" content=\"../leader\">");

        for (String other : List.of(
                "page.html",
                "none.js",
                "..%2fpage.css",
                "%2e%2e%2fconsole%2fpage.css",
                "ConsolePage.class",
                "page.css/",
                "page.css/page.css")) {
            assertThat(application.get("leaderconsole/" + other).statusCode())
                    .as(other)
                    .isIn(400, 404);
        }
    }

    @Test
    void is_there_only_if_the_application_exposes_it() {
        start("management.endpoints.web.exposure.include=leader");
        assertThat(application.get("leaderconsole").statusCode()).isEqualTo(404);
        assertThat(application.get("leaderconsole/main.js").statusCode()).isEqualTo(404);
    }

    private void start(String... properties) {
        application = new OperatedApplication(properties).start(kind);
    }

    /** As a browser loads them. */
    private Map<String, String> filesOf(String page) {
        Map<String, String> found = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>(references(page));
        while (!open.isEmpty()) {
            String name = open.pop();
            if (found.containsKey(name)) {
                continue;
            }
            HttpResponse<String> file = application.get("leaderconsole/" + name);
            assertThat(file.statusCode()).as(name).isEqualTo(200);
            assertThat(type(file)).as(name).isEqualTo(typeOf(name));
            found.put(name, file.body());
            if (name.endsWith(".js")) {
                open.addAll(references(file.body()));
            }
        }
        return found;
    }

    /** Relative ones, since a proxy may strip any prefix. */
    private static List<String> references(String text) {
        return REFERENCE
                .matcher(text)
                .results()
                .map(LeaderConsoleTest::reference)
                .peek(reference -> assertThat(reference).matches("(leaderconsole|\\.)/[a-z]+\\.(js|css|svg)"))
                .map(reference -> reference.substring(reference.indexOf('/') + 1))
                .toList();
    }

    private static String reference(MatchResult match) {
        return match.group(1) == null ? match.group(2) : match.group(1);
    }

    private static Set<String> filesOfTheJar() throws IOException {
        Resource[] all =
                new PathMatchingResourcePatternResolver().getResources("classpath:META-INF/election/console/*");
        return Arrays.stream(all)
                .map(Resource::getFilename)
                .filter(name -> !"page.html".equals(name))
                .collect(Collectors.toSet());
    }

    private static String typeOf(String name) {
        return name.endsWith(".js")
                ? "text/javascript;charset=utf-8"
                : name.endsWith(".css") ? "text/css;charset=utf-8" : "image/svg+xml";
    }

    private static String type(HttpResponse<String> response) {
        return response.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    }
}
