package dev.election.quartz;

/** It can't be told which election guards a Quartz job. */
public final class UnguardableJobException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnguardableJobException(String problem) {
        super(problem);
    }
}
