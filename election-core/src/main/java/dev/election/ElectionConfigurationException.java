package dev.election;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Thrown at startup for a configuration that can't take effect: a property, an annotation, or what either of them needs. */
public final class ElectionConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * @param problem the problem, without a full stop
     * @param action the action that solves it, in sentences
     */
    public ElectionConfigurationException(String problem, String action) {
        this(problem, action, null);
    }

    /**
     * @param problem the problem, without a full stop
     * @param action the action that solves it, in sentences
     * @param cause the exception behind it
     */
    public ElectionConfigurationException(String problem, String action, @Nullable Throwable cause) {
        super(problem, cause);
        this.action = action;
    }

    /**
     * Creates the exception for a property with an invalid value.
     *
     * @param property its name
     * @param problem the problem, without a full stop; the name of the property is put before it unless it contains the name
     */
    public static ElectionConfigurationException ofProperty(String property, String problem) {
        return ofProperty(property, problem, null);
    }

    /**
     * Creates the exception for a property with an invalid value.
     *
     * @param property its name
     * @param problem the problem, without a full stop; the name of the property is put before it unless it contains the name
     * @param cause the exception behind it
     */
    public static ElectionConfigurationException ofProperty(
            String property, String problem, @Nullable Throwable cause) {
        return new ElectionConfigurationException(
                problem.contains(property) ? problem : property + ": " + problem,
                "Set a valid value for " + property + ".",
                cause);
    }

    /**
     * Returns a value that is set by a property.
     *
     * @param value creates it; throws an {@link IllegalArgumentException} for a property with an invalid value
     */
    public static <T> T valid(String property, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException invalid) {
            throw ofProperty(property, String.valueOf(invalid.getMessage()), invalid);
        }
    }

    /** The action that solves the problem, in sentences. */
    public String getAction() {
        return action;
    }
}
