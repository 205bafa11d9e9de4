package dev.election.fencing.internal.bean;

import static dev.election.fencing.internal.bean.FenceMarks.FENCED;

import dev.election.fencing.Fenced;
import dev.election.fencing.internal.transaction.Fence;
import java.lang.reflect.AnnotatedElement;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;

/** Reads {@link Fenced}, including composed annotations and those of interfaces and superclasses. */
final class FenceReader {

    private static final int LONGEST_RESOURCE = 255;

    private final UnaryOperator<String> placeholders;

    /** The election of each resource. */
    private final Map<String, String> elections = new ConcurrentHashMap<>();

    /**
     * Creates a reader.
     *
     * @param placeholders replaces {@code ${...}} in names
     */
    FenceReader(UnaryOperator<String> placeholders) {
        this.placeholders = placeholders;
    }

    /** The elections named by the fences that were read so far. */
    Set<String> elections() {
        return new TreeSet<>(elections.values());
    }

    @Nullable
    Fence read(AnnotatedElement element) {
        MergedAnnotation<Fenced> found = FenceMarks.find(element);
        if (!found.isPresent()) {
            return null;
        }
        Fence fence = new Fence(
                resource(element, found.getString("resource")),
                FENCED.electionName(placeholders, element, found.getString("election")));
        String other = elections.putIfAbsent(fence.resource(), fence.election());
        if (other != null && !other.equals(fence.election())) {
            throw FENCED.invalid(
                    element,
                    "the resource '" + fence.resource() + "' is fenced with the election '" + fence.election()
                            + "' here and with '" + other
                            + "' elsewhere, and the tokens of two elections can't be compared",
                    "Use one election for all methods that write the resource, or two names for two resources.");
        }
        return fence;
    }

    private String resource(AnnotatedElement element, String written) {
        String action = "Write a name of 1 to " + LONGEST_RESOURCE
                + " characters that neither begins nor ends with a space, or a placeholder whose property is set.";
        String name = FENCED.resolve(placeholders, element, "resource name", written, action);
        if (name.isBlank()) {
            throw FENCED.invalid(element, "the resource has no name", action);
        }
        if (name.length() > LONGEST_RESOURCE) {
            throw FENCED.invalid(element, "the name of the resource has " + name.length() + " characters", action);
        }
        if (!name.equals(name.strip())) {
            throw FENCED.invalid(
                    element,
                    "the name of the resource, '" + name
                            + "', begins or ends with a space, which some databases ignore",
                    action);
        }
        return name;
    }
}
