package dev.election.spring.bound;

import java.time.Instant;
import org.springframework.core.NestedExceptionUtils;

/**
 * A leader-only bean that is not started, although this node leads.
 *
 * @param bean the name of the bean
 * @param reason why its last start failed, or why it was not started yet
 * @param since when the first one failed, or the wait began, by the clock of this node
 * @param failures how many have failed so far
 */
public record FailedStart(String bean, String reason, Instant since, int failures) {

    /** Describes a failure in one line: the failure and its root cause, since the one says where and the other says why. */
    static String reason(Throwable failure) {
        Throwable cause = NestedExceptionUtils.getRootCause(failure);
        return cause == null ? failure.toString() : failure + ", caused by " + cause;
    }
}
