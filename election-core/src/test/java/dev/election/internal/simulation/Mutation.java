package dev.election.internal.simulation;

import dev.election.Timing;
import dev.election.internal.election.Identity;
import dev.election.internal.protocol.Attempt;
import dev.election.internal.protocol.EventBounds;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.Now;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.protocol.Self;
import dev.election.internal.protocol.State;
import dev.election.internal.protocol.Step;
import dev.election.record.Guard;
import dev.election.store.StoreEvent;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The protocol without one of its guards. */
enum Mutation {
    NONE,
    /** Any candidate's renewal extends the lease: the defect of the replaced scheduler manager. */
    NO_OWNER_CHECK(Guard.OWNER, Guard.TOKEN),
    /** A leader counts its lease from the reply instead of the request. */
    DEADLINE_FROM_REPLY,
    /** A leader counts its lease from the latest request, whichever was answered. */
    DEADLINE_FROM_LATEST,
    /** A leader trusts its clock to run as fast as the store's. */
    NO_DRIFT_MARGIN,
    /** A store that has forgotten grants at once. */
    NO_QUARANTINE(Guard.QUARANTINE),
    /** A forgotten lease comes back however old the renewal is. */
    NO_EXPIRY_CHECK(Guard.EXPIRY),
    /** A lease that vanished is granted to the next who asks. */
    NO_DELETION_CHECK(Guard.DELETED),
    /** The lease belongs to a node, not to one attempt of it. */
    NO_CANDIDACY_IDS,
    /** A process that is started from a process image goes on as who it was when the image was made. */
    IDENTITY_OF_THE_IMAGE,
    /** Whoever comes after a lease that was forgotten and came back need not wait. */
    NO_AFTERMATH(Guard.AFTERMATH),
    /** A released lease may come back. */
    NO_CLOSED_CHECK(Guard.CLOSED),
    /** A store that came back with old data grants to whoever comes first. */
    NO_INCARNATION(Guard.INCARNATION),
    /** A promoted copy counts as a server that has been there for as long as its process. */
    NO_REPLICA_CHECK,
    /** The same of a store of texts, which tells the uptime of a standby that was promoted. */
    UPTIME_OF_STANDBY,
    /** A candidate takes its subscription for granted, which the store refuses. */
    NO_HEARING_CHECK,
    /** A roll call voids the renewal under way. */
    CALL_VOIDS_RENEWAL,
    /** An event is believed whatever it says. */
    NO_EVENT_BOUNDS,
    /** Where the store has no clock, each node takes its own for that of the record. */
    OWN_WALL_CLOCK,
    /** A leader that hands over does not wait for its work. */
    NO_DRAIN;

    private final Set<Guard> missing;

    Mutation(Guard... missing) {
        this.missing = Set.of(missing);
    }

    /** The kind of world that shows it: one with a record, or one whose store carries requests out at once, which is quicker. */
    int worldOr(int any) {
        return switch (this) {
            case NONE -> any;
            case OWN_WALL_CLOCK -> 0;
            case UPTIME_OF_STANDBY -> 1;
            default -> 3;
        };
    }

    /** What the store lacks. */
    Set<Guard> missingInStore() {
        return missing;
    }

    ProtocolTimings timings(Timing timing, StoreTraits store, boolean sendsTogether) {
        ProtocolTimings timings = ProtocolTimings.of(timing, store, sendsTogether);
        return this != NO_DRIFT_MARGIN
                ? timings
                : new ProtocolTimings(
                        timings.lease(),
                        timings.renewEvery(),
                        timings.drain(),
                        0,
                        timings.clockResolution(),
                        timings.askEarly(),
                        timings.patience(),
                        timings.longestPatience(),
                        timings.firstRetry(),
                        timings.longestRetry(),
                        timings.queue(),
                        timings.settle());
    }

    String candidacy(String node, String candidacy) {
        return this == NO_CANDIDACY_IDS ? node : candidacy;
    }

    Identity identity(Identity ofImage, Identity drawn) {
        return this == IDENTITY_OF_THE_IMAGE ? new Identity(drawn.node(), ofImage.instance()) : drawn;
    }

    Protocol protocol(Self self, ProtocolTimings timings) {
        return switch (this) {
            case DEADLINE_FROM_REPLY -> new CountsFrom(self, timings, true);
            case DEADLINE_FROM_LATEST -> new CountsFrom(self, timings, false);
            case CALL_VOIDS_RENEWAL -> new CallVoidsRenewal(self, timings);
            case NO_EVENT_BOUNDS -> new BelievesEveryEvent(self, timings);
            case NO_DRAIN -> new NeverDrains(self, timings);
            default -> new Protocol(self, timings);
        };
    }

    private static final class CallVoidsRenewal extends Protocol {

        private long called;

        CallVoidsRenewal(Self self, ProtocolTimings timings) {
            super(self, timings);
        }

        @Override
        public Protocol as(Self next) {
            return new CallVoidsRenewal(next, timings());
        }

        @Override
        public Step step(State state, Input input, Now now) {
            if (input instanceof Input.Heard heard && heard.event() instanceof StoreEvent.RollCall) {
                called = state.knowledge().attempts();
            }
            boolean isVoid =
                    input instanceof Input.Renewed renewed && renewed.attempt().number() <= called;
            return isVoid ? new Step(state, List.of()) : super.step(state, input, now);
        }
    }

    private static final class BelievesEveryEvent extends Protocol {

        BelievesEveryEvent(Self self, ProtocolTimings timings) {
            super(self, timings);
        }

        @Override
        public Protocol as(Self next) {
            return new BelievesEveryEvent(next, timings());
        }

        @Override
        public EventBounds eventBounds() {
            return new EventBounds(Duration.ofDays(1000), Duration.ofMillis(1L << 53), 0, 0);
        }
    }

    private static final class NeverDrains extends Protocol {

        NeverDrains(Self self, ProtocolTimings timings) {
            super(self, timings);
        }

        @Override
        public Protocol as(Self next) {
            return new NeverDrains(next, timings());
        }

        @Override
        public Step step(State state, Input input, Now now) {
            Step first = super.step(state, input, now);
            if (!(first.state() instanceof State.Draining)) {
                return first;
            }
            Step second = super.step(first.state(), new Input.Drained(), now);
            return new Step(
                    second.state(),
                    Stream.concat(first.effects().stream(), second.effects().stream())
                            .toList());
        }
    }

    /** Pretends that a request was sent when its reply came, or when the latest one was. */
    private static final class CountsFrom extends Protocol {

        private final boolean reply;

        CountsFrom(Self self, ProtocolTimings timings, boolean reply) {
            super(self, timings);
            this.reply = reply;
        }

        @Override
        public Protocol as(Self next) {
            return new CountsFrom(next, timings(), reply);
        }

        @Override
        public Step step(State state, Input input, Now now) {
            if (input instanceof Input.Campaigned campaigned && state instanceof State.Following following) {
                Attempt moved = moved(campaigned.attempt(), following.campaign(), now);
                boolean isLatest = campaigned.attempt().equals(following.campaign());
                State pretended = new State.Following(
                        following.knowledge(), isLatest ? moved : following.campaign(), following.tryAt());
                return super.step(pretended, new Input.Campaigned(moved, campaigned.reply()), now);
            }
            if (input instanceof Input.Renewed renewed && state instanceof State.Leading leading) {
                HeldLease heldLease = leading.heldLease();
                Attempt moved = moved(renewed.attempt(), heldLease.renewal(), now);
                boolean isLatest = renewed.attempt().equals(heldLease.renewal());
                HeldLease pretended = isLatest ? heldLease.renewing(moved, heldLease.renewAt()) : heldLease;
                return super.step(
                        new State.Leading(leading.knowledge(), pretended),
                        new Input.Renewed(moved, renewed.reply()),
                        now);
            }
            return super.step(state, input, now);
        }

        private Attempt moved(Attempt attempt, @Nullable Attempt latest, Now now) {
            long latestSentAt = latest == null ? attempt.sentAt() : latest.sentAt();
            return new Attempt(attempt.number(), attempt.candidate(), reply ? now.nanos() : latestSentAt);
        }
    }
}
