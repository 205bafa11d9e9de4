package dev.election;

/** The store gave no usable answer to a question that only it can answer. */
public class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final StoreProblem problem;

    /**
     * @param problem what is wrong
     * @param detail what the store or the connection said
     */
    public StoreUnavailableException(StoreProblem problem, String detail) {
        super("No answer from the store: " + problem.action() + " (" + problem + ": " + detail + ")");
        this.problem = problem;
    }

    /** What is wrong. */
    public StoreProblem getProblem() {
        return problem;
    }
}
