package dev.election.benchmarks;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;

/** Says when a listener hears that this node leads. */
final class AcquisitionReport implements LeadershipListener {

    private final Voice voice;

    AcquisitionReport(Voice voice) {
        this.voice = voice;
    }

    @Override
    public void onAcquired(LeadershipEvent.Acquired event) {
        voice.say("ACQUIRED", System.nanoTime(), event.leader().token());
    }
}
