package dev.election.autoconfigure;

/** The application reaches Redis in a way in which leases can't be kept. */
final class UnsupportedConnectionFactoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String mend;

    UnsupportedConnectionFactoryException(String problem, String mend) {
        super(problem);
        this.mend = mend;
    }

    UnsupportedConnectionFactoryException(String problem, String mend, Throwable cause) {
        super(problem, cause);
        this.mend = mend;
    }

    /** What to do first; that the application can also do without is said beside it. */
    String mend() {
        return mend;
    }
}
