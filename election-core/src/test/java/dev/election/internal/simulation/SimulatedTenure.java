package dev.election.internal.simulation;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.Leadership;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.Role;
import dev.election.engine.Clock;
import dev.election.store.ReleaseRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The leaderships of one process of the simulation, as its listeners hear of them. After every event it is checked that the process admits
 * work if and only if they were told so, and not before it has recovered. A release waits for a recovery, and a node that has given up pauses for longer
 * each time.
 */
final class SimulatedTenure implements LeadershipListener {

    static final Set<LossReason> ORDERLY = Set.of(LossReason.STOPPED, LossReason.ABDICATED, LossReason.PREEMPTED);

    private final Simulation world;
    private final String node;
    private final Election election;
    private final Clock clock;

    /** {@code null} if the process has nothing to do before its work. */
    private final SimulatedRecoveries.@Nullable Process recoveries;

    /** The leaderships that this process has given up and released. */
    private final Set<FencingToken> givenUp = new HashSet<>();

    /** How often this process failed to recover or was asked to give up. */
    private int failures;

    /** The leadership that listeners know of, {@code null} if it has ended. */
    private @Nullable FencingToken token;

    /** When it began, by the clock of the process. */
    private long begun;

    /** Whether listeners were told that the process leads, and not only that it recovers. */
    private boolean isTold;

    /** When the lease ends, by the clock of the process. */
    private long deadline;

    /** Since when the process admits nothing, {@code null} if it is not resigning. */
    private @Nullable Long resigningSince;

    /** Whether the process was stopped or given another role since its leadership began: then it may come back at once. */
    private boolean isRedirected;

    /** Until when the process must not campaign, {@code null} if it may. */
    private @Nullable Long pausedUntil;

    SimulatedTenure(
            Simulation world,
            String node,
            Election election,
            Clock clock,
            SimulatedRecoveries.@Nullable Process recoveries) {
        this.world = world;
        this.node = node;
        this.election = election;
        this.clock = clock;
        this.recoveries = recoveries;
        election.addListener(this);
    }

    @Override
    public void onRecovering(LeadershipEvent.Recovering event) {
        begin(event.leader().token());
    }

    @Override
    public void onAcquired(LeadershipEvent.Acquired event) {
        begin(event.leader().token());
        if (isTold) {
            throw violation("is told twice that it leads");
        }
        isTold = true;
        resigningSince = null;
        if (election.name().equals(SimulatedNode.ELECTION)) {
            world.leadershipBegins();
        }
    }

    private void begin(FencingToken present) {
        if (!present.equals(token)) {
            token = present;
            begun = clock.nanos();
            isRedirected = false;
            if (recoveries != null) {
                recoveries.begin(present);
            }
        }
    }

    @Override
    public void onResigning(LeadershipEvent.Resigning event) {
        resigningSince = clock.nanos();
        String reason = event.requestedBy();
        SimulatedSteering steering = world.steering();
        if (event.reason() == LossReason.PREEMPTED && steering != null && reason != null) {
            steering.check(node, reason);
        }
    }

    @Override
    public void onResumed(LeadershipEvent.Resumed event) {
        if (!isTold || resigningSince == null || !event.token().equals(token)) {
            throw violation("resumes what it has not interrupted");
        }
        resigningSince = null;
        world.leadershipResumes();
    }

    @Override
    public void onRecoveryFailed(LeadershipEvent.RecoveryFailed event) {
        givesUp();
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        token = null;
        isTold = false;
        resigningSince = null;
    }

    /** The process gives up: it is not calm before its work has ended and it has come back. */
    void givesUp() {
        world.faultUntil(world.lease.toNanos() * (3 + (1L << failures++)));
    }

    /** Another role of the process: a stop, or an order to observe, ends a pause. */
    void plays(Role role) {
        if (role == Role.OBSERVER || role == Role.STOPPED) {
            pausedUntil = null;
        }
    }

    /** The process is stopped, or has another role. */
    void redirect() {
        isRedirected = true;
    }

    /** How long the process has led, by its own clock. */
    long held() {
        return clock.nanos() - begun;
    }

    boolean admits() {
        Optional<LeaderWork> work = election.beginWork();
        work.ifPresent(LeaderWork::close);
        return work.isPresent();
    }

    /** After every event. */
    void check() {
        election.leadership()
                .ifPresent(held -> deadline = clock.nanos() + held.remaining().toNanos());
        boolean admits = admits();
        if (admits && recoveries != null && !recoveries.hasRecovered(presentToken())) {
            throw violation("admits work before it has recovered");
        }
        if (admits != (isTold && resigningSince == null && election.isLeader())) {
            throw violation(
                    admits ? "admits work, and no listener was told" : "admits no work, as listeners were told");
        }
    }

    private FencingToken presentToken() {
        return election.leadership().map(Leadership::token).orElseThrow();
    }

    /** Before a release is sent. */
    void check(ReleaseRequest request) {
        Long since = resigningSince;
        if (recoveries == null || request.grant() == null || since == null || !ORDERLY.contains(request.reason())) {
            return;
        }
        FencingToken released = request.grant().token();
        boolean isHeld = clock.nanos() < deadline;
        if (isHeld && recoveries.isUnderWay(released) && clock.nanos() - since < drain(request)) {
            throw violation("releases its lease (" + request.reason() + ") while it recovers");
        }
        boolean isGivenUp = request.reason() == LossReason.ABDICATED
                && SimulatedRecoveries.isGivenUp(request.how().requestedBy());
        if (isGivenUp && givenUp.add(released)) {
            pause(request.how().cooldown().toNanos());
        }
    }

    private long drain(ReleaseRequest request) {
        long longest = 2 * world.lease.toNanos();
        Duration drain = request.how().drain();
        return drain == null ? longest : Math.min(longest, drain.toNanos());
    }

    private void pause(long time) {
        boolean mayReturn = isRedirected || (time == 0 && world.steering() != null);
        if (!mayReturn && time < world.lease.toNanos() << (givenUp.size() - 1)) {
            throw violation("pauses for only " + Duration.ofNanos(time) + " when it gives up for the " + givenUp.size()
                    + ". time");
        }
        pausedUntil = clock.nanos() + time;
    }

    /** Before a campaign is sent. */
    void checkCampaign() {
        Long until = pausedUntil;
        if (until != null && clock.nanos() < until) {
            throw violation("campaigns, although it has given up");
        }
    }

    private Simulation.Violation violation(String what) {
        return world.violation(node + " " + what);
    }
}
