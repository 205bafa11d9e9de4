package dev.election.internal.election;

import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.engine.Clock;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.Now;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.protocol.Self;
import dev.election.internal.protocol.State;
import dev.election.internal.protocol.Step;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.recovery.TakeOver;
import dev.election.internal.requests.EngineContext;
import dev.election.store.CampaignReply;
import dev.election.store.LeaseStore;
import dev.election.store.RenewReply;
import java.util.concurrent.CompletionStage;

/** An election whose leader counts its lease from the reply, as if the request had taken no time. */
public final class CountsFromReply {

    private final Identity identity;
    private final LocalElection election;

    public CountsFromReply(String name, LeaseStore store, NodeInfo node, Timing timing) {
        identity = Identity.drawn(node);
        Clock clock = Clock.system();
        election = new LocalElection(
                timing,
                new CountingFromReply(identity.in(name), ProtocolTimings.of(timing, store.traits())),
                AssignedRole.CANDIDATE,
                new Recoveries(TakeOver.DEFAULT),
                EngineContext.over(store, clock, null, null));
    }

    public Election election() {
        return election;
    }

    public void start() {
        election.start(identity);
    }

    public CompletionStage<?> stop() {
        return election.stop();
    }

    private static final class CountingFromReply extends Protocol {

        private final ProtocolTimings timings;

        CountingFromReply(Self self, ProtocolTimings timings) {
            super(self, timings);
            this.timings = timings;
        }

        @Override
        public Protocol as(Self next) {
            return new CountingFromReply(next, timings);
        }

        @Override
        public Step step(State state, Input input, Now now) {
            Step right = super.step(state, input, now);
            boolean isGood = (input instanceof Input.Campaigned campaigned
                            && campaigned.reply() instanceof CampaignReply.Granted)
                    || (input instanceof Input.Renewed renewed && renewed.reply() instanceof RenewReply.Renewed);
            if (!isGood || !(right.state() instanceof State.Leading leading)) {
                return right;
            }
            HeldLease heldLease = leading.heldLease();
            HeldLease longer = heldLease
                    .renewed(timings.deadline(now.nanos()), heldLease.expiry())
                    .renewingAt(heldLease.renewAt())
                    .knownToBeAtRisk(false);
            return new Step(new State.Leading(leading.knowledge(), longer), right.effects());
        }
    }
}
