package dev.election.spring.guard;

import dev.election.ElectionConfigurationException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Guards that can't take effect. One failed start names all of them. */
final class GuardProblems {

    /** Problems by their messages: a method that is inherited is checked once for each class. */
    private final Map<String, ElectionConfigurationException> found = new LinkedHashMap<>();

    /** Runs a check that fails if a guard can't take effect, and collects the failure. */
    void check(Runnable check) {
        collect(() -> {
            check.run();
            return null;
        });
    }

    /** Runs a check with a result, and collects its failure; returns {@code null} then. */
    <T> @Nullable T collect(Supplier<@Nullable T> check) {
        try {
            return check.get();
        } catch (ElectionConfigurationException problem) {
            found.putIfAbsent(String.valueOf(problem.getMessage()), problem);
            return null;
        }
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** Fails with all of them, if there are any. */
    void throwIfAny() {
        if (found.size() == 1) {
            throw found.values().iterator().next();
        }
        if (!found.isEmpty()) {
            StringBuilder all = new StringBuilder(found.size() + " leader guards are invalid:");
            found.forEach((message, problem) ->
                    all.append("\n  - ").append(message).append(". ").append(problem.getAction()));
            ElectionConfigurationException combined =
                    new ElectionConfigurationException(all.toString(), "Change each of them as the list says.");
            found.values().forEach(combined::addSuppressed);
            throw combined;
        }
    }
}
