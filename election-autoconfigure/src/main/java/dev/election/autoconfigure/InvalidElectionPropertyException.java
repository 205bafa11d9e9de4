package dev.election.autoconfigure;

/** Thrown for a property with an invalid value. */
public final class InvalidElectionPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String property;

    public InvalidElectionPropertyException(String property, String problem) {
        super(named(property, problem));
        this.property = property;
    }

    public InvalidElectionPropertyException(String property, String problem, Throwable cause) {
        super(named(property, problem), cause);
        this.property = property;
    }

    private static String named(String property, String problem) {
        return problem.contains(property) ? problem : property + ": " + problem;
    }

    String property() {
        return property;
    }
}
