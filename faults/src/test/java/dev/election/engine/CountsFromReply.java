package dev.election.engine;

import dev.election.Election;
import dev.election.lease.CampaignReply;
import dev.election.lease.LeaseStore;
import dev.election.lease.RenewReply;
import java.util.concurrent.CompletionStage;

/** An election whose leader counts its lease from the reply, as if the request had taken no time. */
public final class CountsFromReply {

    private final LocalElection election;

    public CountsFromReply(String name, LeaseStore store, NodeIdentity node, Timing timing) {
        Self self = new Self(name, node.id(), node.address(), NodeIdentity.random(12));
        Clock clock = Clock.system();
        election = new LocalElection(
                name,
                timing,
                new CountingFromReply(self, Pace.of(timing)),
                store,
                new ElectionThread(clock),
                clock,
                new CallbackThreads());
    }

    public Election election() {
        return election;
    }

    public void start() {
        election.start();
    }

    public CompletionStage<?> stop() {
        return election.stop();
    }

    private static final class CountingFromReply extends Protocol {

        private final Pace pace;

        CountingFromReply(Self self, Pace pace) {
            super(self, pace);
            this.pace = pace;
        }

        @Override
        Step step(State state, Input input, Now now) {
            Step right = super.step(state, input, now);
            boolean isGood = (input instanceof Input.Campaigned campaigned
                            && campaigned.reply() instanceof CampaignReply.Granted)
                    || (input instanceof Input.Renewed renewed && renewed.reply() instanceof RenewReply.Renewed);
            if (!isGood || !(right.state() instanceof State.Leading leading)) {
                return right;
            }
            Tenure tenure = leading.tenure();
            Tenure longer = tenure.renewed(pace.deadline(now.nanos()), tenure.expiry())
                    .renewingAt(tenure.renewAt())
                    .knownToBeAtRisk(false);
            return new Step(new State.Leading(leading.knowledge(), longer), right.effects());
        }
    }
}
