package dev.election.internal.engine;

import dev.election.Timing;
import dev.election.internal.log.Names;
import dev.election.store.StoreTraits;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The timings of all elections.
 *
 * @param common the timing of an election without one of its own
 * @param special the timings of single elections, by name
 * @param tokensAhead how far the token of an event may be ahead of all clocks
 */
public record Timings(Timing common, Map<String, Timing> special, Duration tokensAhead) {
    /** Returns the names of the elections and their leases, as a part of a sentence. A group stands for its partitions. */
    String describe(Collection<String> elections, Groups groups) {
        String lease = " (lease " + ReadableDuration.of(common.lease()) + ")";
        if (elections.isEmpty()) {
            return "no election yet" + lease;
        }
        Collection<String> named = groups.together(elections);
        return (named.size() == 1 ? "the election " : "the elections ")
                + Names.listed(named, name -> groups.remark(name) + ownLease(name))
                + lease;
    }

    /** Returns these timings, where an election that is led with another one has the timing of that one. */
    Timings together(Map<String, String> ledWith) {
        Map<String, Timing> all = new HashMap<>(special);
        ledWith.forEach((election, with) -> all.put(election, of(with)));
        return new Timings(common, Map.copyOf(all), tokensAhead);
    }

    private String ownLease(String election) {
        Duration own = of(election).lease();
        return own.equals(common.lease()) ? "" : " (" + ReadableDuration.of(own) + ")";
    }

    Timing of(String election) {
        return special.getOrDefault(election, common);
    }

    void requireLongEnough(StoreTraits store) {
        store.requireLongEnough(common.lease(), "The lease");
        special.forEach((election, timing) ->
                store.requireLongEnough(timing.lease(), "The lease of the election '" + election + "'"));
    }
}
