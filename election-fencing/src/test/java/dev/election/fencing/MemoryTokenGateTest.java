package dev.election.fencing;

import java.time.Duration;
import java.time.InstantSource;

class MemoryTokenGateTest extends TokenGateContract {

    private final TokenGate gate = new MemoryTokenGate(TokenGate.PLAUSIBLE_AHEAD, InstantSource.system());

    @Override
    protected TokenGate gate() {
        return gate;
    }

    @Override
    protected TokenGate gate(Duration ahead) {
        return new MemoryTokenGate(ahead, InstantSource.system());
    }
}
