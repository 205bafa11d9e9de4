package dev.election.autoconfigure;

/** The application reaches Redis in a way in which leases can't be kept. */
final class UnsupportedConnectionFactoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnsupportedConnectionFactoryException(String problem) {
        super(problem);
    }

    UnsupportedConnectionFactoryException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
