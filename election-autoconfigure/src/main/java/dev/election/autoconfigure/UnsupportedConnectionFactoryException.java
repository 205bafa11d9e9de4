package dev.election.autoconfigure;

/** Thrown for a connection factory that the lease store can't use. */
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

    /** What to do about it. The failure analysis adds the alternatives without Redis. */
    String action() {
        return action;
    }
}
