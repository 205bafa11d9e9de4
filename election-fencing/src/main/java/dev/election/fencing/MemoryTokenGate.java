package dev.election.fencing;

import dev.election.FencingToken;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps the highest tokens in the memory of this process: to be used only if no other process receives tokens for the same resources. A restart
 * forgets them.
 */
public final class MemoryTokenGate implements TokenGate {

    private final Duration ahead;
    private final InstantSource clock;

    /** Guarded by this. */
    private final Map<String, FencingToken> highest = new HashMap<>();

    /**
     * Knows no token yet.
     *
     * @param ahead how far a new token may be ahead of the clock
     * @param clock of this process
     */
    public MemoryTokenGate(Duration ahead, InstantSource clock) {
        this.ahead = ahead;
        this.clock = clock;
    }

    @Override
    public synchronized Admission admit(String resource, FencingToken token) {
        FencingToken known = highest.get(resource);
        if (known != null && known.isNewerThan(token)) {
            return new Stale(known);
        }
        long limit = TokenGate.limit(known == null ? 0 : known.value(), clock.millis(), ahead);
        if (token.value() > limit) {
            return new Implausible(limit);
        }
        highest.put(resource, token);
        return new Admitted();
    }
}
