package dev.election.store;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.support.OneLine;
import java.time.Duration;

/** A message from one node of an election to the others, which the store passes on as {@link StoreEvent.Received}. */
public sealed interface NodeMessage {

    /**
     * A request to the leader with that token to give up leadership.
     *
     * @param request the id of this request
     * @param token the token of the leadership; a leader with another token ignores the request
     * @param how how the leader shall do it
     */
    record AbdicationRequested(String request, FencingToken token, Abdication how) implements NodeMessage {}

    /**
     * The leader has received a request to abdicate and will release.
     *
     * @param request the id of the request
     * @param drain how long that takes at most
     */
    record AbdicationHeard(String request, Duration drain) implements NodeMessage {}

    /**
     * A request to the leader with that token to run a job now. A request that comes twice is run once.
     *
     * @param request the id of this request
     * @param token the token of the leadership; a leader with another token ignores the request
     * @param job the name of the job
     * @param requestedBy who asks, and why, on one line
     */
    record RunRequested(String request, FencingToken token, String job, String requestedBy) implements NodeMessage {

        /** Cleans the texts: they may come from a message, which anybody may have written. */
        public RunRequested {
            job = OneLine.shown(job, LONGEST_JOB);
            requestedBy = OneLine.shown(requestedBy, Abdication.LONGEST_REQUESTER);
        }
    }

    /**
     * The answer of the leader to a request to run a job.
     *
     * @param request the id of the request
     * @param hasBegun whether the job has begun
     * @param detail where it runs, or why it does not, on one line
     */
    record RunAnswered(String request, boolean hasBegun, String detail) implements NodeMessage {

        /** Cleans the text. */
        public RunAnswered {
            detail = OneLine.shown(detail, LONGEST_DETAIL);
        }
    }

    /** The highest number of characters of the name of a job in a message. */
    int LONGEST_JOB = 512;

    /** The highest number of characters of the detail of an answer; the rest is cut off. */
    int LONGEST_DETAIL = 1024;
}
