package dev.election.redis.autoconfigure;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Checks whether the Redis user may run the optional commands of the elections. A missing permission for a required command is reported by
 * the request that needs it.
 */
public final class PermissionsCheck implements Check {

    private static final Set<String> OF_MESSAGES = Set.of("PUBLISH");

    private final Supplier<CompletionStage<Set<String>>> refused;

    /**
     * Creates the check.
     *
     * @param refused finds out which commands the user may not run
     */
    public PermissionsCheck(Supplier<CompletionStage<Set<String>>> refused) {
        this.refused = refused;
    }

    @Override
    public boolean asksStore() {
        return true;
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        return refused.get().thenApply(PermissionsCheck::judge);
    }

    private static List<Finding> judge(Set<String> refused) {
        List<Finding> findings = new ArrayList<>();
        Set<String> ofHistory = new TreeSet<>(refused);
        ofHistory.removeAll(OF_MESSAGES);
        if (!ofHistory.isEmpty()) {
            findings.add(new Finding(
                    "The Redis user may not run " + String.join(", ", ofHistory) + ": " + costs(ofHistory),
                    "Grant the Redis user " + String.join(" ", ofHistory)
                            + " on the keys of election.redis.key-prefix"));
        }
        if (refused.containsAll(OF_MESSAGES)) {
            findings.add(new Finding(
                    "The Redis user may not run PUBLISH on the channels of the elections: after a release nobody leads for up to a"
                            + " lease, and requests to abdicate do not reach leaders on other nodes",
                    "Grant the Redis user PUBLISH and the channels of election.redis.key-prefix"));
        }
        return findings;
    }

    private static String costs(Set<String> refused) {
        if (refused.contains("LPUSH")) {
            return "the store records no history of leaderships";
        }
        List<String> costs = new ArrayList<>();
        if (refused.contains("LTRIM")) {
            costs.add("the history of leaderships grows without bound");
        }
        if (refused.contains("LINDEX") || refused.contains("LSET")) {
            costs.add("every past leadership is shown as EXPIRED, however it ended");
        }
        if (refused.contains("LRANGE")) {
            costs.add("the history of leaderships can't be shown");
        }
        return String.join("; ", costs);
    }
}
