package dev.election.spring.annotation;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * An annotation that names an election: how its text is read, and how messages speak of it.
 *
 * @param shown the annotation in messages
 */
public record ElectionAnnotation(String shown) {

    /** The guards of methods and types. */
    public static final ElectionAnnotation GUARD = new ElectionAnnotation("The leader guard");

    /** Calls of a method for each partition. */
    public static final ElectionAnnotation PARTITIONED = new ElectionAnnotation("@Partitioned");

    /**
     * The name of the election.
     *
     * @param placeholders replaces {@code ${...}}
     * @param place the annotated element
     * @param written the name or a placeholder
     */
    public String electionName(UnaryOperator<String> placeholders, AnnotatedElement place, String written) {
        return electionName(placeholders, written, (problem, action) -> invalid(place, problem, action));
    }

    /**
     * The name of the election.
     *
     * @param placeholders replaces {@code ${...}}
     * @param written the name or a placeholder
     * @param invalid creates the error of a problem and an action
     */
    public static String electionName(
            UnaryOperator<String> placeholders,
            String written,
            BiFunction<String, String, ElectionConfigurationException> invalid) {
        String action = "Write a name of 1 to 64 of A-Z a-z 0-9 . _ : - or a placeholder whose property is set.";
        String name = resolve(placeholders, "election name", written, problem -> invalid.apply(problem, action));
        if (!Election.isName(name)) {
            throw invalid.apply("'" + name + "' is not a valid election name", action);
        }
        return name;
    }

    /**
     * Replaces the placeholders in one attribute.
     *
     * @param placeholders replaces {@code ${...}}
     * @param place the annotated element
     * @param what the attribute in messages
     * @param written its text
     * @param action what to do where a placeholder has no value
     */
    public String resolve(
            UnaryOperator<String> placeholders, AnnotatedElement place, String what, String written, String action) {
        return resolve(placeholders, what, written, problem -> invalid(place, problem, action));
    }

    private static String resolve(
            UnaryOperator<String> placeholders,
            String what,
            String written,
            Function<String, ElectionConfigurationException> invalid) {
        try {
            return placeholders.apply(written);
        } catch (IllegalArgumentException unresolved) {
            throw invalid.apply("there is no value for the " + what + " '" + written + "'");
        }
    }

    /**
     * Creates the error for an annotation that can't take effect.
     *
     * @param place the annotated element
     * @param problem why it can't
     * @param action what to do about it
     */
    public ElectionConfigurationException invalid(AnnotatedElement place, String problem, String action) {
        return new ElectionConfigurationException(shown + " on " + place + " is invalid: " + problem, action);
    }

    /**
     * Creates the error for an annotation in a bean in which none can take effect.
     *
     * @param beanName the bean
     * @param type its class
     * @param problem why it can't
     * @param action what to do about it
     */
    public ElectionConfigurationException invalid(String beanName, Class<?> type, String problem, String action) {
        return new ElectionConfigurationException(
                shown + " in the bean '" + beanName + "' of " + type + " is invalid: " + problem, action);
    }
}
