package dev.election.internal.protocol;

import dev.election.Abdication;
import dev.election.Leader;
import dev.election.LeadershipRecord;
import dev.election.store.CampaignReply;
import dev.election.store.Held;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessage;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An input of the protocol: a request, a reply, an event or an alarm. */
public sealed interface Input {

    /** Returns the highest token in this input, 0 if it has none. */
    default long highestToken() {
        return 0;
    }

    /** Whether this is an answer of the store; {@link NoAnswer} is none. */
    default boolean isAnswer() {
        return false;
    }

    /** A request to campaign from now on. */
    record Start() implements Input {}

    /**
     * A request to observe from now on, and to end leadership or candidacy.
     *
     * @param requestedBy the requester of that, {@code null} if it is the assigned role of this node
     */
    record Observe(@Nullable String requestedBy) implements Input {
        public Observe() {
            this(null);
        }
    }

    /** A request to stop campaigning and leading, after the wait for running work. */
    record Stop() implements Input {}

    /** A request to give leadership up. */
    record Abdicate(Abdication how) implements Input {}

    /**
     * A decision of this node to hand leadership over, which it keeps if the running work takes longer than the drain time.
     */
    record HandOver(Abdication how) implements Input {}

    /** A message in which a node asks the leader to give leadership up. */
    public record Asked(NodeMessage.AbdicationRequested message) implements Input {}

    /** The time that {@link Protocol#wakeAt} named has come. */
    record Wake() implements Input {}

    /**
     * Another election of this process sends a request now: a request of this one that is due soon may join the batch.
     *
     * @param isPlanned whether that request was due. One because of news, or after a failure, says of other leases that they may be free as well:
     *     who comes first in those has not asked yet
     * @param renews whether it is a renewal. A campaign for a lease that may be free does not join it, since both replies are urgent
     */
    record JoinBatch(boolean isPlanned, boolean renews) implements Input {}

    /**
     * The order of succession has changed.
     *
     * @param place the number of nodes that should lead before this one; empty where there is no order
     */
    record Placed(OptionalInt place) implements Input {}

    /**
     * A recovery of this node has begun or returned.
     *
     * @param isOccupied whether the recovery runs
     */
    record Occupied(boolean isOccupied) implements Input {}

    /** No admitted work runs any more. */
    record Drained() implements Input {}

    /** A campaign was answered. */
    record Campaigned(Attempt attempt, CampaignReply reply) implements Input {
        @Override
        public boolean isAnswer() {
            return !(reply instanceof NoAnswer);
        }

        @Override
        public long highestToken() {
            if (reply instanceof CampaignReply.Granted granted) {
                return granted.token().value();
            }
            return reply instanceof Held held ? held.leader().token().value() : 0;
        }
    }

    /** A renewal was answered. */
    record Renewed(Attempt attempt, RenewReply reply) implements Input {
        @Override
        public boolean isAnswer() {
            return !(reply instanceof NoAnswer);
        }

        @Override
        public long highestToken() {
            return reply instanceof RenewReply.Lost lost && lost.holder() != null
                    ? lost.holder().leader().token().value()
                    : 0;
        }
    }

    /** A release was answered. */
    record Released(Attempt attempt, ReleaseReply reply) implements Input {}

    /** A read of who leads was answered. */
    record Looked(Attempt attempt, ReadReply reply) implements Input {
        @Override
        public boolean isAnswer() {
            return !(reply instanceof NoAnswer);
        }

        @Override
        public long highestToken() {
            if (!(reply instanceof ReadReply.Read read)) {
                return 0;
            }
            Stream<Leader> past = read.view().leaderships().stream().map(LeadershipRecord::leader);
            return Stream.concat(read.view().leader().stream(), past)
                    .mapToLong(leader -> leader.token().value())
                    .max()
                    .orElse(0);
        }
    }

    /** The store sent an event. */
    record Heard(StoreEvent event) implements Input {
        @Override
        public long highestToken() {
            if (event instanceof StoreEvent.Acquired acquired) {
                return acquired.leader().token().value();
            }
            return event instanceof StoreEvent.Released released
                    ? released.token().value()
                    : 0;
        }
    }
}
