package dev.election;

/** Thrown when the store gives no usable reply to a request. */
public class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final StoreProblem problem;
    private final String action;

    /**
     * Creates the exception with the action that fits any store.
     *
     * @param problem the kind of problem
     * @param detail the message of the store or the connection
     */
    public StoreUnavailableException(StoreProblem problem, String detail) {
        this(problem, detail, problem.action());
    }

    /**
     * @param problem the kind of problem
     * @param detail the message of the store or the connection
     * @param action what is wrong and what to do, as the store says it: one sentence without a full stop
     */
    public StoreUnavailableException(StoreProblem problem, String detail, String action) {
        super("No usable reply from the store: " + action + " (" + problem + ": " + detail + ")");
        this.problem = problem;
        this.action = action;
    }

    /** The kind of problem. */
    public StoreProblem getProblem() {
        return problem;
    }

    /** The problem and the action, in one sentence without a full stop. */
    public String getAction() {
        return action;
    }
}
