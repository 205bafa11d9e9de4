package dev.election.autoconfigure.internal.checks;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * The properties of the elections that the configuration metadata on the class path describe.
 *
 * @param all each of them
 */
record DescribedProperties(List<Described> all) {

    static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("election");

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private static final Pattern PROPERTY = Pattern.compile("\"name\"\\s*:\\s*\"");
    private static final Pattern TYPE = Pattern.compile("\"type\"\\s*:\\s*\"([^\"]*)\"");
    private static final Pattern SOURCE_TYPE = Pattern.compile("\"sourceType\"\\s*:\\s*\"([^\"]*)\"");

    /** Two letters, or one in another group. */
    private static final int NEAR = 2;

    /**
     * One property.
     *
     * @param name its name
     * @param hasParts whether it is a map or a list, whose parts have names of their own
     * @param type the class that it is bound to; empty if it is read by its name
     */
    record Described(ConfigurationPropertyName name, boolean hasParts, String type) {

        /** The class with {@code @ConfigurationProperties}, by its name; empty if there is none. */
        String boundTo() {
            int nested = type.indexOf('$');
            return nested < 0 ? type : type.substring(0, nested);
        }

        private boolean describes(ConfigurationPropertyName set) {
            return name.equals(set) || (hasParts && name.isAncestorOf(set));
        }

        /** An environment variable may have an underscore in place of a hyphen, which looks like a dot. */
        private boolean describesVariable(ConfigurationPropertyName set) {
            String letters = lettersOf(set);
            return letters.equals(lettersOf(name)) || (hasParts && letters.startsWith(lettersOf(name)));
        }

        private int distanceTo(ConfigurationPropertyName set) {
            int ofAll = distance(name.toString(), set.toString());
            int ofLast = distance(lastOf(name), lastOf(set));
            return Math.min(ofAll, ofLast + 1);
        }
    }

    /** Reads those files only that mention the prefix, and of them what the annotation processor of Spring Boot writes: without a JSON library. */
    static DescribedProperties read(ClassLoader loader) throws IOException {
        List<Described> all = new ArrayList<>();
        for (URL file : Collections.list(loader.getResources(METADATA))) {
            String text = text(file);
            int begin = text.indexOf("\"properties\"");
            if (begin >= 0 && text.contains("\"" + PREFIX + ".")) {
                int end = text.indexOf("\"hints\"", begin);
                PROPERTY.splitAsStream(text.substring(begin, end < 0 ? text.length() : end))
                        .skip(1)
                        .forEach(property -> add(property, all));
            }
        }
        return new DescribedProperties(all);
    }

    /** From the name on. */
    private static void add(String property, List<Described> all) {
        ConfigurationPropertyName name =
                ConfigurationPropertyName.ofIfValid(property.substring(0, property.indexOf('"')));
        if (name != null && PREFIX.isAncestorOf(name)) {
            String type = first(TYPE, property);
            boolean hasParts = type.startsWith("java.util.") && type.contains("<");
            all.add(new Described(name, hasParts, first(SOURCE_TYPE, property)));
        }
    }

    private static String first(Pattern pattern, String property) {
        Matcher matcher = pattern.matcher(property);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static String text(URL file) throws IOException {
        URLConnection connection = file.openConnection();
        connection.setUseCaches(false);
        try (InputStream stream = connection.getInputStream()) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Whether some properties are bound to that class. */
    boolean areOf(String type) {
        return all.stream().anyMatch(one -> one.boundTo().equals(type));
    }

    /** The property that this name means. */
    Optional<Described> find(ConfigurationPropertyName set, boolean isVariable) {
        return all.stream()
                .filter(one -> one.describes(set) || (isVariable && one.describesVariable(set)))
                .findFirst();
    }

    /** The name of the property most like that name, if any is like it. */
    Optional<ConfigurationPropertyName> nearest(ConfigurationPropertyName set) {
        return all.stream()
                .min(Comparator.comparingInt(one -> one.distanceTo(set)))
                .filter(one -> one.distanceTo(set) <= NEAR)
                .map(Described::name);
    }

    private static String lastOf(ConfigurationPropertyName name) {
        return name.getLastElement(ConfigurationPropertyName.Form.UNIFORM);
    }

    private static String lettersOf(ConfigurationPropertyName name) {
        return name.toString().replaceAll("[^a-z0-9]", "");
    }

    /** How many letters have to be added, removed or replaced. */
    private static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(before[j], row[j - 1]));
            }
            before = row;
        }
        return before[other.length()];
    }
}
