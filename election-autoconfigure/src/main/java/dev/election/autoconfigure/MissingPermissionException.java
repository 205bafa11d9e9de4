package dev.election.autoconfigure;

/** Thrown when the user of the store may not do what a setting needs. */
public final class MissingPermissionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    public MissingPermissionException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    String action() {
        return action;
    }
}
