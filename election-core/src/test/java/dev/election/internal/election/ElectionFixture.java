package dev.election.internal.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AssignedRole;
import dev.election.LeadershipEvent;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.recovery.TakeOver;
import dev.election.internal.requests.EngineContext;
import dev.election.store.CampaignReply;
import dev.election.testing.EachEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One election with a scripted store and time in the test's hand. Lease 15 s, renewed every 5 s, patience 2.5 s. */
public final class ElectionFixture {

    public static final Duration LEASE = Duration.ofSeconds(15);
    public static final Identity IDENTITY = new Identity(new NodeInfo("me", "me:80"), "instance");

    public final HandDrivenLoop loop = new HandDrivenLoop();
    public final ScriptedStore store;
    public final List<LeadershipEvent> events = new ArrayList<>();
    public final LocalElection election;

    private final Identity identity;

    public ElectionFixture() {
        this(new ScriptedStore(), "");
    }

    private ElectionFixture(ScriptedStore store, String application) {
        this.store = store;
        Timing timing = Timing.ofLease(LEASE);
        this.identity = new Identity(IDENTITY.node().ofApplication(application), IDENTITY.instance());
        Protocol protocol = new Protocol(identity.in("reports"), ProtocolTimings.of(timing, store.traits()));
        election = new LocalElection(
                timing,
                protocol,
                AssignedRole.CANDIDATE,
                new Recoveries(TakeOver.DEFAULT),
                EngineContext.over(store, loop, loop, Runnable::run));
        election.addListener(new EachEvent(events::add));
    }

    public static ElectionFixture started() {
        return started("");
    }

    public static ElectionFixture started(String application) {
        return started(new ElectionFixture(new ScriptedStore(), application));
    }

    public static ElectionFixture startedOver(ScriptedStore store) {
        return started(new ElectionFixture(store, ""));
    }

    private static ElectionFixture started(ElectionFixture fixture) {
        fixture.start(fixture.identity);
        return fixture;
    }

    public static ElectionFixture leading() {
        return leadingOver(new ScriptedStore());
    }

    public static ElectionFixture leadingOver(ScriptedStore store) {
        ElectionFixture fixture = startedOver(store);
        fixture.answerCampaign(ScriptedStore.granted(100));
        assertThat(fixture.election.isLeader()).isTrue();
        return fixture;
    }

    public void start(Identity next) {
        election.start(next);
        loop.settle();
    }

    public void answerCampaign(CampaignReply reply) {
        store.campaigns.remove().answer(reply);
        loop.settle();
    }

    public void pass(Duration time) {
        loop.pass(time);
    }

    public <E extends LeadershipEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public <E extends LeadershipEvent> E last(Class<E> kind) {
        List<E> all = events(kind);
        assertThat(all).as("events of the kind " + kind.getSimpleName()).isNotEmpty();
        return all.get(all.size() - 1);
    }
}
