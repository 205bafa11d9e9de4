package dev.election;

/** The store gave no usable answer to a question that only it can answer. */
public class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final StoreProblem problem;
    private final String action;

    /**
     * With the action that holds for any store.
     *
     * @param problem what is wrong
     * @param detail what the store or the connection said
     */
    public StoreUnavailableException(StoreProblem problem, String detail) {
        this(problem, detail, problem.action());
    }

    /**
     * @param problem what is wrong
     * @param detail what the store or the connection said
     * @param action what is wrong and what to do, as the store says it: one sentence without a full stop
     */
    public StoreUnavailableException(StoreProblem problem, String detail, String action) {
        super("No answer from the store: " + action + " (" + problem + ": " + detail + ")");
        this.problem = problem;
        this.action = action;
    }

    /** What is wrong. */
    public StoreProblem getProblem() {
        return problem;
    }

    /** What is wrong and what to do, in one sentence without a full stop. */
    public String getAction() {
        return action;
    }
}
