package dev.election.autoconfigure;

/** The application reaches Redis in a way in which leases can't be kept. */
public final class UnsupportedConnectionFactoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    public UnsupportedConnectionFactoryException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    public UnsupportedConnectionFactoryException(String problem, String action, Throwable cause) {
        super(problem, cause);
        this.action = action;
    }

    /** What to do first; that the application can also do without is said beside it. */
    String action() {
        return action;
    }
}
