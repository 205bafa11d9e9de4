package dev.election.autoconfigure.internal.watch;

import static java.util.stream.Collectors.joining;

import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.autoconfigure.watch.WorkWatch;
import dev.election.spring.calls.CallObserver;
import dev.election.support.ReadableDuration;
import java.lang.reflect.Method;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns when this node has released leadership while guarded work was still running, because the drain time was over.
 */
public final class OutlastingWork implements LeadershipListener, CallObserver, WorkWatch {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private static final int MOST_NAMED = 3;

    private final RunningCalls calls;

    /** Measures by the monotonic clock of this process. */
    public OutlastingWork() {
        this(new RunningCalls());
    }

    OutlastingWork(RunningCalls calls) {
        this.calls = calls;
    }

    @Override
    public LeaderWork watch(String election, String what, LeaderWork work) {
        return calls.watch(election, what, work);
    }

    @Override
    public LeaderWork begun(String election, Method method, LeaderWork work) {
        return watch(election, RunningCalls.nameOf(method), work);
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        if (!event.reason().isOrderly()) {
            return;
        }
        List<RunningCalls.Oldest> outlasting = calls.under(event.election(), event.token());
        if (!outlasting.isEmpty()) {
            log.warn(
                    "Leadership of the election '{}' was released ({}) while leader work is still running: {}. Another node may now do"
                            + " the same work at the same time. Set election.shutdown.await (or the drain time of the election or of the"
                            + " request) to more than the work takes; if it was stuck, find out why. Token {}",
                    event.election(),
                    event.reason(),
                    named(outlasting),
                    event.token());
        }
    }

    private static String named(List<RunningCalls.Oldest> outlasting) {
        String names = outlasting.stream()
                .limit(MOST_NAMED)
                .map(call -> call.what() + ", running for " + ReadableDuration.of(call.age()))
                .collect(joining("; "));
        int more = outlasting.size() - MOST_NAMED;
        return more > 0 ? names + "; and " + more + " more" : names;
    }
}
