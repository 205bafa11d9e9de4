package dev.election;

/** Thrown when the store gives no usable reply to a request. */
public class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final StoreProblem problem;

    /**
     * @param problem the kind of problem
     * @param detail the message of the store or the connection
     */
    public StoreUnavailableException(StoreProblem problem, String detail) {
        super("No usable reply from the store: " + problem.action() + " (" + problem + ": " + detail + ")");
        this.problem = problem;
    }

    /** The kind of problem. */
    public StoreProblem getProblem() {
        return problem;
    }
}
