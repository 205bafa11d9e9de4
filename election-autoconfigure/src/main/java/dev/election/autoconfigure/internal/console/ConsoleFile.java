package dev.election.autoconfigure.internal.console;

import java.util.Optional;
import java.util.Set;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;

/**
 * A file of the page.
 *
 * @param name its name, which is also the end of its path
 * @param type its media type
 */
record ConsoleFile(String name, MimeType type) {

    static final String HTML = "text/html;charset=UTF-8";
    static final String SCRIPT = "text/javascript;charset=UTF-8";
    static final String STYLE = "text/css;charset=UTF-8";
    static final String IMAGE = "image/svg+xml";

    static final String FOLDER = "META-INF/election/console/";

    static final ConsoleFile PAGE = new ConsoleFile("page.html", MimeType.valueOf(HTML));

    /** All that the page refers to. Nothing else of the class path is served. */
    private static final Set<String> REFERENCED = Set.of(
            "page.css",
            "icon.svg",
            "actions.js",
            "api.js",
            "checks.js",
            "copy.js",
            "dialog.js",
            "dom.js",
            "election.js",
            "frame.js",
            "groups.js",
            "history.js",
            "jobs.js",
            "main.js",
            "members.js",
            "memory.js",
            "overview.js",
            "parts.js",
            "poll.js",
            "time.js",
            "timeline.js");

    static Optional<ConsoleFile> find(String name) {
        return REFERENCED.contains(name)
                ? Optional.of(new ConsoleFile(name, MimeType.valueOf(typeOf(name))))
                : Optional.empty();
    }

    Resource resource() {
        return new ClassPathResource(FOLDER + name, ConsoleFile.class.getClassLoader());
    }

    private static String typeOf(String name) {
        return name.endsWith(".js") ? SCRIPT : name.endsWith(".css") ? STYLE : IMAGE;
    }
}
