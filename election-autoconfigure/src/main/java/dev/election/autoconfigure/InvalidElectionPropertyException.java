package dev.election.autoconfigure;

/** A property has a value that can't work. */
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
