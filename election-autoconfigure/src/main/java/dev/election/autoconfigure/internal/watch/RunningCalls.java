package dev.election.autoconfigure.internal.watch;

import dev.election.FencingToken;
import dev.election.ForwardingLeaderWork;
import dev.election.LeaderWork;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The guarded calls that are running, each with its age. */
public final class RunningCalls {

    private final LongSupplier nanos;
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    /** Measures by the monotonic clock of this process. */
    RunningCalls() {
        this(System::nanoTime);
    }

    RunningCalls(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Registers admitted work until it ends.
     *
     * @param election the name of the election
     * @param what the name of the work, for messages
     * @param work the admitted work
     */
    LeaderWork watch(String election, String what, LeaderWork work) {
        Call call = new Call(election, what, work, nanos.getAsLong());
        calls.add(call);
        return call;
    }

    /** The oldest call under the present leadership of that election. */
    Optional<Oldest> oldest(String election) {
        return running(call -> call.election.equals(election) && call.isCurrent())
                .findFirst();
    }

    /** The calls under that token that are still running, the oldest first, whether or not this leadership still holds. */
    List<Oldest> under(String election, FencingToken token) {
        return running(call -> call.election.equals(election) && call.token().equals(token))
                .toList();
    }

    private Stream<Oldest> running(Predicate<Call> which) {
        return calls.stream()
                .filter(which)
                .sorted(Comparator.comparingLong(call -> call.begun))
                .map(call -> new Oldest(call.what, Duration.ofNanos(nanos.getAsLong() - call.begun), call.begun));
    }

    /**
     * A call and its age.
     *
     * @param what the name of the work
     * @param age for how long it has been running
     * @param begun when it began, on the monotonic clock
     */
    public record Oldest(String what, Duration age, long begun) {}

    private final class Call extends ForwardingLeaderWork {

        private final String election;
        private final String what;
        private final long begun;

        private Call(String election, String what, LeaderWork work, long begun) {
            super(work);
            this.election = election;
            this.what = what;
            this.begun = begun;
        }

        @Override
        public void close() {
            calls.remove(this);
            super.close();
        }
    }
}
