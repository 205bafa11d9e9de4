package dev.election.fencing;

import java.time.InstantSource;

class MemoryTokenGateTest extends TokenGateContract {

    private final TokenGate gate = new MemoryTokenGate(InstantSource.system());

    @Override
    protected TokenGate gate() {
        return gate;
    }
}
