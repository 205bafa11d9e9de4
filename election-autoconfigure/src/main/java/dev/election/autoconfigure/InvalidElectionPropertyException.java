package dev.election.autoconfigure;

/** Thrown for a property with an invalid value. */
public final class InvalidElectionPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String property;

    public InvalidElectionPropertyException(String property, String problem) {
        super(problem);
        this.property = property;
    }

    public InvalidElectionPropertyException(String property, String problem, Throwable cause) {
        super(problem, cause);
        this.property = property;
    }

    String property() {
        return property;
    }
}
