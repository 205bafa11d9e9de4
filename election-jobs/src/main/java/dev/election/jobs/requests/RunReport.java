package dev.election.jobs.requests;

/**
 * The answer to a request to run a job now.
 *
 * @param outcome the outcome
 * @param detail the outcome in a sentence
 */
public record RunReport(Outcome outcome, String detail) {

    /** The outcome of a request. */
    public enum Outcome {
        /** The job has begun; its end is in the history. */
        STARTED,
        /** The job was not begun, and will not be for this request. */
        REFUSED,
        /** There is no answer: the job may have begun, and the history tells. */
        UNKNOWN
    }

    /** The job has begun. */
    public static RunReport started(String detail) {
        return new RunReport(Outcome.STARTED, detail);
    }

    /** The job is not run for this request. */
    public static RunReport refused(String detail) {
        return new RunReport(Outcome.REFUSED, detail);
    }
}
