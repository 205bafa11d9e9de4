package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The Markdown files of the project lead to each other's sections and to files that are there. */
class DocumentationLinksTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Set<String> BUILT = Set.of("target", ".git");
    private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+?) *$");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");

    @Test
    void every_link_leads_somewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            for (MatchResult link : LINK.matcher(withoutCode(page)).results().toList()) {
                String target = link.group(1);
                if (!target.contains("://")) {
                    links++;
                    if (!leadsSomewhere(page, target)) {
                        broken.add(ROOT.relativize(page) + ": " + target);
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(30);
    }

    private static boolean leadsSomewhere(Path page, String target) throws IOException {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path found = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(found)) {
            return false;
        }
        return hash < 0 || sections(found).contains(target.substring(hash + 1));
    }

    /** As they are named by those who show Markdown: in small letters, with hyphens, without punctuation. */
    private static Set<String> sections(Path page) throws IOException {
        return HEADING.matcher(withoutCode(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static String withoutCode(Path page) throws IOException {
        return CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
    }

    /** Without the folders of builds, in which files come and go. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return BUILT.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages;
    }
}
