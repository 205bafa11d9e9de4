package dev.election.quartz;

/** It can't be told which election guards a Quartz job. */
public final class UnguardableJobException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String NAME =
            "Write a name of 1 to 64 of A-Z a-z 0-9 . _ : -, a placeholder whose property is set, or * for every node.";

    private final String action;

    UnguardableJobException(String problem) {
        this(problem, NAME);
    }

    UnguardableJobException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    public String getAction() {
        return action;
    }
}
