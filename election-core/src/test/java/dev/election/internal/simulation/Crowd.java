package dev.election.internal.simulation;

import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.internal.protocol.Attempt;
import dev.election.internal.protocol.Effect;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.Now;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.protocol.Self;
import dev.election.internal.protocol.State;
import dev.election.internal.protocol.Step;
import dev.election.record.AtomicStore;
import dev.election.record.ElectionRecord;
import dev.election.record.LeaseRules;
import dev.election.record.NoOrder;
import dev.election.store.CampaignReply;
import dev.election.store.StoreEvent;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Many candidates for one election: the protocol, the rules of the store, and time that the test moves. All
 * share one monotonic clock, as processes on one host do.
 */
final class Crowd {

    static final Duration LEASE = Duration.ofSeconds(5);

    private static final Timing TIMING = Timing.ofLease(LEASE);
    private static final ProtocolTimings TIMINGS = ProtocolTimings.of(TIMING, StoreTraits.ofServer("store", "prefix"));
    private static final long SHORTEST_WAY = 200_000;

    private final Random random = new Random(42);
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final List<Member> members = new ArrayList<>();
    private final AtomicStore store;
    private final long longestWay;
    private final UnaryOperator<CampaignReply> asTheStoreSaysIt;

    /** When each campaign reached the store, in nanoseconds. */
    private final List<Long> campaigns = new ArrayList<>();

    private long now = Duration.ofDays(1).toNanos();
    private long number;
    private double lost;

    Crowd(int size) {
        this(size, Duration.ofMillis(2));
    }

    Crowd(int size, Duration longestWay) {
        this(size, longestWay, UnaryOperator.identity());
    }

    private Crowd(int size, Duration longestWay, UnaryOperator<CampaignReply> asTheStoreSaysIt) {
        this.asTheStoreSaysIt = asTheStoreSaysIt;
        this.longestWay = longestWay.toNanos();
        store = new AtomicStore(this::millis, this::broadcast, new LeaseRules(5));
        for (int i = 0; i < size; i++) {
            Member member = new Member(i);
            members.add(member);
            // The first alone, so that there is a leader when the others come.
            long after = i == 0 ? 0 : LEASE.toNanos() / 5 + random.nextLong(LEASE.toNanos());
            at(now + after, () -> member.feed(new Input.Start()));
        }
        pass(LEASE.multipliedBy(4));
    }

    /** Of a store that keeps no order of its candidates. */
    static Crowd withoutOrder(int size) {
        return new Crowd(size, Duration.ofMillis(2), NoOrder::in);
    }

    long nanos() {
        return now;
    }

    void pass(Duration time) {
        long end = now + time.toNanos();
        while (!events.isEmpty() && events.peek().at() <= end) {
            Event event = events.remove();
            now = event.at();
            event.action().run();
        }
        now = end;
    }

    /** When each campaign since then reached the store. */
    List<Long> campaignsSince(long since) {
        return campaigns.stream().filter(at -> at >= since).toList();
    }

    Member leader() {
        return members.stream().filter(Member::leads).findFirst().orElseThrow();
    }

    boolean hasLeader() {
        return members.stream().anyMatch(Member::leads);
    }

    /** Those at the front of the queue. */
    List<Member> front(int size) {
        return queue().limit(size)
                .map(candidacy -> members.stream()
                        .filter(member -> member.owns(candidacy))
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    /** How many living followers have no place in the queue. */
    long forgotten() {
        List<String> known = queue().toList();
        return members.stream()
                .filter(Member::follows)
                .filter(member -> known.stream().noneMatch(member::owns))
                .count();
    }

    /** When the present lease ends, on the monotonic clock. */
    long leaseEnd() {
        ElectionRecord.Lease lease = store.save().lease();
        return lease == null ? now : lease.ends() * 1_000_000;
    }

    /** From now on that part of all campaigns is lost. */
    void loseCampaigns(double part) {
        lost = part;
    }

    /** All hear that they are connected to the store again. */
    void reconnect() {
        broadcast(StoreEvent.Connected.anew(now));
    }

    private Stream<String> queue() {
        return store.save().queue().stream()
                .filter(waiting -> waiting.gone() > millis())
                .map(ElectionRecord.Waiting::candidacy);
    }

    private long millis() {
        return now / 1_000_000;
    }

    private void broadcast(StoreEvent event) {
        members.forEach(member -> travel(() -> member.feed(new Input.Heard(event))));
    }

    private void travel(Runnable arrival) {
        at(now + random.nextLong(SHORTEST_WAY, longestWay), arrival);
    }

    private void at(long time, Runnable action) {
        events.add(new Event(time, number++, action));
    }

    private record Event(long at, long number, Runnable action) {}

    final class Member {

        private final Protocol protocol;
        private final String instance;
        private @Nullable State state = Protocol.initial();
        private long alarm;

        private Member(int index) {
            instance = new UUID(random.nextLong(), random.nextLong()).toString();
            protocol = new Protocol(new Self("reports", new NodeInfo("n" + index, ""), instance), TIMINGS);
        }

        /** Does nothing any more. */
        void die() {
            state = null;
        }

        /** Releases the lease. */
        void resign() {
            feed(new Input.Stop());
            feed(new Input.Drained());
        }

        boolean leads() {
            return state instanceof State.Leading;
        }

        private boolean follows() {
            return state instanceof State.Following;
        }

        private boolean owns(String candidacy) {
            return candidacy.startsWith(instance);
        }

        private void feed(Input input) {
            if (state == null) {
                return;
            }
            Step step = protocol.step(state, input, new Now(now, Instant.ofEpochMilli(millis())));
            state = step.state();
            step.effects().forEach(this::carryOut);
            OptionalLong wakeAt = protocol.wakeAt(state);
            if (wakeAt.isPresent() && wakeAt.getAsLong() != alarm) {
                alarm = wakeAt.getAsLong();
                long set = alarm;
                at(Math.max(now, set), () -> wake(set));
            }
        }

        private void wake(long set) {
            if (set == alarm) {
                alarm = 0;
                feed(new Input.Wake());
            }
        }

        private void carryOut(Effect effect) {
            if (effect instanceof Effect.Campaign campaign) {
                Attempt attempt = campaign.attempt();
                boolean isLost = random.nextDouble() < lost;
                travel(() -> {
                    if (isLost) {
                        return;
                    }
                    campaigns.add(now);
                    Input reply =
                            new Input.Campaigned(attempt, asTheStoreSaysIt.apply(store.campaign(campaign.request())));
                    travel(() -> feed(reply));
                });
            } else if (effect instanceof Effect.Renew renew) {
                travel(() -> {
                    Input reply = new Input.Renewed(renew.attempt(), store.renew(renew.request()));
                    travel(() -> feed(reply));
                });
            } else if (effect instanceof Effect.Release release) {
                travel(() -> store.release(release.request()));
            }
        }
    }
}
