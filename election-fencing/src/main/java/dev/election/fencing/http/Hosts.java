package dev.election.fencing.http;

import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Hosts to which tokens are sent: a name, {@code *.name} for all below it, or {@code *} for all. */
public final class Hosts {

    private final List<String> patterns;

    /** Creates the set of hosts that match one of the patterns. */
    public Hosts(Collection<String> patterns) {
        this.patterns = patterns.stream()
                .map(pattern -> pattern.strip().toLowerCase(Locale.ROOT))
                .toList();
    }

    boolean contain(URI target) {
        String host = target.getHost();
        if (host == null) {
            return patterns.contains("*");
        }
        String name = host.toLowerCase(Locale.ROOT);
        return patterns.stream()
                .anyMatch(pattern -> pattern.equals("*")
                        || pattern.equals(name)
                        || (pattern.startsWith("*.") && name.endsWith(pattern.substring(1))));
    }
}
