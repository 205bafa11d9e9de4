package dev.election.autoconfigure;

import dev.election.Election;
import dev.election.lifecycle.Candidacy;
import dev.election.protocol.Timing;
import dev.election.store.StoreTraits;
import dev.election.text.ReadableDuration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this application takes part in elections.
 *
 * @param enabled whether it does; if not, guarded methods run everywhere
 * @param lease how long a silent leader stays leader, and so the longest time without one after a crash
 * @param renewEvery how often the leader renews its lease; a third of the lease unless set
 * @param node who this process is
 * @param elections what differs for single elections, by name; elections named in annotations need no entry
 * @param startup the start of the application
 * @param shutdown the end of the application
 * @param redis the leases in Redis
 * @param history who led before
 * @param abdication requests to whoever leads to give leadership up
 * @param health what this node's health says of its elections
 * @param doctor the look for trouble after the start
 */
@ConfigurationProperties("election")
public record ElectionProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("15s") Duration lease,
        @Nullable Duration renewEvery,
        @DefaultValue Node node,
        @DefaultValue Map<String, Special> elections,
        @DefaultValue Startup startup,
        @DefaultValue Shutdown shutdown,
        @DefaultValue Redis redis,
        @DefaultValue History history,
        @DefaultValue Abdication abdication,
        @DefaultValue Health health,
        @DefaultValue Doctor doctor) {

    public ElectionProperties {
        elections = new LinkedHashMap<>(elections);
    }

    /**
     * Who this process is.
     *
     * @param id the id of the node, unique among the processes of an election; the host's name with a random suffix unless set
     * @param address where the node can be reached, shown beside the id; the host's name unless set
     * @param metadata what else to tell about the node
     */
    public record Node(@Nullable String id, @Nullable String address, @DefaultValue Map<String, String> metadata) {}

    /**
     * What differs for one election.
     *
     * @param lease how long a silent leader of this election stays leader
     * @param renewEvery how often the leader of this election renews its lease; a third of the lease unless set
     * @param drain how long a stop or an abdication waits for running work of this election
     */
    public record Special(@Nullable Duration lease, @Nullable Duration renewEvery, @Nullable Duration drain) {}

    /**
     * The start of the application.
     *
     * @param awaitResult how long a guarded call may wait for the first result of its election before it is skipped; 0 not to
     *     wait
     * @param candidacy when this node begins to take part in elections: after the runners of the application have returned, or
     *     before they are called; the latter if one of them does not return
     */
    public record Startup(
            @DefaultValue("0s") Duration awaitResult, @DefaultValue("after-runners") Candidacy candidacy) {}

    /**
     * The end of the application.
     *
     * @param await how long running leader work may take on shutdown and abdication before leadership is released all the same
     */
    public record Shutdown(@DefaultValue("30s") Duration await) {

        public Shutdown {
            await = Election.bounded(await);
        }
    }

    /**
     * The leases in Redis.
     *
     * @param keyPrefix what all keys and channels begin with; applications that must not meet in an election need different ones
     * @param settleForALease whether a Redis without any record of an election grants nothing for a whole lease; unless set, it
     *     grants after 50 ms, or after about a second where it was started less than a lease ago
     * @param connectionFactory the name of the RedisConnectionFactory bean whose Redis keeps the leases; the only or the primary
     *     one unless set
     */
    public record Redis(
            @DefaultValue("election") String keyPrefix,
            @DefaultValue("false") boolean settleForALease,
            @Nullable String connectionFactory) {}

    /**
     * Who led before.
     *
     * @param size how many leaderships of each election the store remembers; 0 for none
     */
    public record History(@DefaultValue("100") int size) {}

    /**
     * Requests to whoever leads to give leadership up.
     *
     * @param patience how long a leader may take to react before it counts as hung
     */
    public record Abdication(@DefaultValue("3s") Duration patience) {}

    /**
     * What this node's health says of its elections.
     *
     * @param stuckWorkAfter how long a guarded call of the leader may run before its health is down; for ever unless set
     * @param abdicateWhenStuck whether the leader then gives leadership up, too
     */
    public record Health(@Nullable Duration stuckWorkAfter, @DefaultValue("false") boolean abdicateWhenStuck) {

        public Health {
            if (abdicateWhenStuck && stuckWorkAfter == null) {
                throw new InvalidElectionPropertyException(
                        "election.health.stuck-work-after",
                        "election.health.abdicate-when-stuck is true, but nothing says after what time work is stuck");
            }
        }
    }

    /**
     * The look for trouble after the start.
     *
     * @param enabled whether it is done
     */
    public record Doctor(@DefaultValue("true") boolean enabled) {}

    /** How long a leader may take to react, checked. */
    Duration patience() {
        Duration patience = abdication.patience();
        if (patience.isNegative() || patience.isZero()) {
            throw new InvalidElectionPropertyException(
                    "election.abdication.patience",
                    "The time must be longer than zero, but is " + ReadableDuration.of(patience));
        }
        return patience;
    }

    /** The timing of elections that have none of their own. */
    Timing timing() {
        requireTime("election.shutdown.await", shutdown.await());
        return timing("election", lease, renewEvery, shutdown.await());
    }

    /** The timing of each election that has an entry. */
    Map<String, Timing> timings() {
        Map<String, Timing> timings = new LinkedHashMap<>();
        elections.forEach((name, special) -> {
            if (!Election.isName(name)) {
                throw new InvalidElectionPropertyException(
                        "election.elections." + name,
                        "The name of an election must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + name + "'");
            }
            timings.put(name, timing(name, special));
        });
        return timings;
    }

    /** Refuses a lease that is too short for the store. */
    void requireLeasesFor(StoreTraits store) {
        requireLease(store, "election.lease", lease);
        timings()
                .forEach(
                        (name, timing) -> requireLease(store, "election.elections." + name + ".lease", timing.lease()));
    }

    /** The longest time of all that running work is waited for. */
    public Duration longestDrain() {
        return allTimings().map(Timing::drain).max(Duration::compareTo).orElseThrow();
    }

    /** The shortest lease of all: by it the store chooses its timeouts. */
    public Duration shortestLease() {
        return allTimings().map(Timing::lease).min(Duration::compareTo).orElseThrow();
    }

    /** After this long the elections have stopped, whatever happens. */
    Duration longestStop() {
        return allTimings().map(Timing::longestStop).max(Duration::compareTo).orElseThrow();
    }

    private Stream<Timing> allTimings() {
        return Stream.concat(Stream.of(timing()), timings().values().stream());
    }

    private Timing timing(String name, Special special) {
        Duration ownLease = special.lease() != null ? special.lease() : lease;
        // A renew interval that was set for a longer lease may not fit this one.
        Duration common = special.lease() == null ? renewEvery : null;
        Duration ownRenewal = special.renewEvery() != null ? special.renewEvery() : common;
        Duration drain = special.drain() != null ? special.drain() : shutdown.await();
        requireTime("election.elections." + name + ".drain", drain);
        return timing("election.elections." + name, ownLease, ownRenewal, drain);
    }

    private static void requireTime(String property, Duration time) {
        if (time.isNegative()) {
            throw new InvalidElectionPropertyException(
                    property, "The time can't be negative, but is " + ReadableDuration.of(time));
        }
    }

    private static void requireLease(StoreTraits store, String property, Duration lease) {
        try {
            store.requireLongEnough(lease, property);
        } catch (IllegalArgumentException shorter) {
            throw new InvalidElectionPropertyException(property, String.valueOf(shorter.getMessage()), shorter);
        }
    }

    private static Timing timing(String prefix, Duration lease, @Nullable Duration renewEvery, Duration drain) {
        try {
            return new Timing(lease, renewEvery != null ? renewEvery : lease.dividedBy(3), drain);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidElectionPropertyException(
                    prefix + ".lease and " + prefix + ".renew-every", String.valueOf(invalid.getMessage()), invalid);
        }
    }
}
