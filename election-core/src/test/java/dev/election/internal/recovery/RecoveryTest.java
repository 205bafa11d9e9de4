package dev.election.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderRecovery;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LeadershipRecord;
import dev.election.NodeInfo;
import dev.election.Role;
import dev.election.Steering;
import dev.election.Timing;
import dev.election.internal.abdication.Pauses;
import dev.election.internal.election.HandDrivenLoop;
import dev.election.internal.election.ScriptedStore;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.simulation.SimulatedRecoveries;
import dev.election.members.MemberSettings;
import dev.election.record.AtomicLeaseStore;
import dev.election.store.Candidate;
import dev.election.store.ReadReply;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a new leader does before its work, with time in the test's hand. Lease 15 s, a recovery may take 20 s. */
class RecoveryTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofSeconds(2);

    private final HandDrivenLoop loop = new HandDrivenLoop();
    private final AtomicLeaseStore store = new AtomicLeaseStore(loop::millis, 100);
    private final Queue<Runnable> recoveries = new ArrayDeque<>();
    private final Recoveries configured = new Recoveries(TakeOver.DEFAULT);
    private final List<String> ran = new ArrayList<>();
    private final List<LeadershipEvent> events = new ArrayList<>();
    private final Listening listening = new Listening();

    /** Recoveries are run when the test says so; news of the election is told at once. */
    private final class Listening implements LeadershipListener {
        @Override
        public void onEvent(LeadershipEvent event) {
            if (isAboutLeading(event)) {
                events.add(event);
            }
        }
    }

    private static boolean isAboutLeading(LeadershipEvent event) {
        return event instanceof LeadershipEvent.Recovering
                || event instanceof LeadershipEvent.RecoveryFailed
                || event instanceof LeadershipEvent.Acquired
                || event instanceof LeadershipEvent.Resigning
                || event instanceof LeadershipEvent.Resumed
                || event instanceof LeadershipEvent.Lost;
    }

    private ElectionEngine node(String id, Executor callbacks) {
        return builder(id, callbacks).build();
    }

    private ElectionEngine.Builder builder(String id, Executor callbacks) {
        return ElectionEngine.over(store)
                .as(new NodeInfo(id, id + ":80"))
                .timing(Timing.ofLease(LEASE))
                .recoverAtMost(LIMIT)
                .loop(loop, loop)
                .callbacks(callbacks);
    }

    /** A started node with these recoveries, which run in {@link #recoverNow}. */
    private Election start(LeaderRecovery... added) {
        return startOn(this::runUnlessRecovery, added);
    }

    private void runUnlessRecovery(Runnable task) {
        if (SimulatedRecoveries.isRecovery(task)) {
            recoveries.add(task);
        } else {
            task.run();
        }
    }

    private Election startOn(Executor callbacks, LeaderRecovery... added) {
        ElectionEngine engine = node("first", callbacks);
        for (int i = 0; i < added.length; i++) {
            engine.addRecovery("recovery-" + (i + 1), added[i]);
        }
        Election election = engine.get(Election.DEFAULT);
        election.addListener(listening);
        engine.start();
        loop.pass(SOON);
        return election;
    }

    private void recoverNow() {
        recoveries.remove().run();
        loop.settle();
    }

    private List<String> kinds() {
        return events.stream().map(event -> event.getClass().getSimpleName()).toList();
    }

    private LeadershipRecord lastLeadership() {
        CompletionStage<ReadReply> read = store.read(Election.DEFAULT);
        return ((ReadReply.Read) read.toCompletableFuture().join())
                .view()
                .leaderships()
                .get(0);
    }

    @Test
    void no_work_is_admitted_before_the_recoveries_have_run_in_their_order() {
        Election election = start(work -> ran.add("one"), work -> ran.add("two"));
        assertThat(election.isLeader()).isTrue();
        assertThat(election.beginWork()).isEmpty();
        recoverNow();
        assertThat(ran).containsExactly("one");
        assertThat(election.beginWork()).isEmpty();
        assertThat(kinds()).containsExactly("Recovering", "Recovering");
        recoverNow();
        assertThat(ran).containsExactly("one", "two");
        assertThat(election.beginWork()).isPresent();
        assertThat(kinds()).containsExactly("Recovering", "Recovering", "Acquired");
        assertThat(recoveries).isEmpty();
        assertThat(election.runningWork()).isOne();
    }

    @Test
    void a_recovery_is_leader_work_with_parts() {
        List<Boolean> admitted = new ArrayList<>();
        Election election = start(work -> {
            admitted.add(work.isCurrent());
            admitted.add(work.election().runIfLeader(() -> ran.add("part")));
        });
        assertThat(election.runningWork()).isOne();
        recoverNow();
        assertThat(admitted).containsExactly(true, true);
        assertThat(ran).containsExactly("part");
        assertThat(election.runningWork()).isZero();
    }

    @Test
    void a_recovery_of_another_election_is_not_run() {
        Election election = start(new LeaderRecovery() {
            @Override
            public String election() {
                return "other";
            }

            @Override
            public void recover(LeaderWork work) {
                ran.add("other");
            }
        });
        assertThat(kinds()).containsExactly("Acquired");
        assertThat(election.beginWork()).isPresent();
    }

    @Test
    void a_leader_whose_recovery_fails_hands_over_and_says_why() {
        Election election = start(work -> {
            throw new IllegalStateException("no disk");
        });
        recoverNow();
        assertThat(election.isLeader()).isFalse();
        assertThat(election.role()).isEqualTo(Role.COOLING_DOWN);
        assertThat(kinds()).containsExactly("Recovering", "RecoveryFailed", "Resigning", "Lost");
        assertThat(lastLeadership().requestedBy()).contains("recovery-1", "no disk");
        assertThat(lastLeadership().until()).isNotNull();
    }

    @Test
    void a_node_whose_recovery_fails_again_stays_out_for_longer() {
        Election election = start(work -> {
            throw new IllegalStateException("no disk");
        });
        for (Duration pause = LEASE; pause.compareTo(LEASE.multipliedBy(8)) <= 0; pause = pause.multipliedBy(2)) {
            recoverNow();
            loop.pass(pause.minus(SOON));
            assertThat(election.role()).as("shortly before " + pause).isEqualTo(Role.COOLING_DOWN);
            loop.pass(SOON.multipliedBy(2));
            assertThat(election.isLeader()).as("after " + pause).isTrue();
        }
    }

    @Test
    void another_node_takes_over_when_a_recovery_fails() {
        start(work -> {
            throw new IllegalStateException("no disk");
        });
        ElectionEngine second = node("second", Runnable::run);
        Election other = second.get(Election.DEFAULT);
        second.start();
        loop.pass(SOON);
        recoverNow();
        loop.pass(SOON);
        assertThat(other.isLeader()).isTrue();
        assertThat(other.beginWork()).isPresent();
    }

    @Test
    void a_recovery_that_takes_too_long_is_interrupted_and_leadership_handed_over() throws Exception {
        Blocked blocked = new Blocked();
        Election election = startOn(blocked.thread(), blocked);
        blocked.awaitBegin();
        loop.pass(LIMIT);
        blocked.awaitInterrupt();
        loop.settle();
        assertThat(kinds()).containsExactly("Recovering", "RecoveryFailed", "Resigning", "Lost");
        assertThat(election.role()).isEqualTo(Role.COOLING_DOWN);
        assertThat(lastLeadership().requestedBy()).contains("it took longer than 20 s");
    }

    @Test
    void a_leader_whose_recovery_finds_no_thread_hands_over() {
        Election election = startOn(
                task -> {
                    if (SimulatedRecoveries.isRecovery(task)) {
                        throw new RejectedExecutionException("no thread");
                    }
                    task.run();
                },
                work -> ran.add("one"));
        assertThat(kinds()).containsExactly("Recovering", "RecoveryFailed", "Resigning", "Lost");
        assertThat(election.runningWork()).isZero();
        assertThat(lastLeadership().requestedBy()).contains("no thread");
    }

    @Test
    void a_recovery_is_interrupted_when_the_lease_is_lost() throws Exception {
        Blocked blocked = new Blocked();
        startOn(blocked.thread(), blocked);
        blocked.awaitBegin();
        loop.freeze(LEASE);
        loop.pass(Duration.ofMillis(1));
        blocked.awaitInterrupt();
        assertThat(kinds().subList(0, 2)).containsExactly("Recovering", "Lost");
        assertThat(kinds()).doesNotContain("RecoveryFailed");
    }

    @Test
    void a_recovery_that_finds_a_thread_when_the_lease_is_lost_does_nothing() {
        start(work -> ran.add("one"));
        loop.freeze(LEASE);
        loop.pass(Duration.ofMillis(1));
        assertThat(kinds()).startsWith("Recovering", "Lost");
        recoverNow();
        assertThat(ran).isEmpty();
    }

    /** The interrupt is for the recovery, and not for what its thread does next. */
    @Test
    void a_thread_that_has_recovered_is_not_interrupted_any_more() {
        start(work -> ran.add("one"), work -> ran.add("two"));
        recoverNow();
        loop.freeze(LEASE);
        loop.pass(Duration.ofMillis(1));
        assertThat(kinds()).startsWith("Recovering", "Recovering", "Lost");
        assertThat(Thread.interrupted()).isFalse();
    }

    /** How a leadership ends while its recovery runs. */
    private enum End {
        TOO_LONG,
        LEASE_LOST,
        ABDICATED,
        STOPPED,
        OBSERVER
    }

    @ParameterizedTest
    @EnumSource
    void a_recovery_that_ignores_its_interruption_is_waited_for_before_this_node_leads_again(End end) {
        Stubborn stubborn = new Stubborn();
        ElectionEngine engine = node("first", stubborn::runOnItsThread);
        engine.addRecovery("stubborn", stubborn);
        Election election = engine.get(Election.DEFAULT);
        engine.start();
        loop.pass(SOON);
        end(end, engine, election);
        loop.pass(Duration.ofHours(1));
        assertThat(stubborn.runsAtOnce()).isOne();
        assertThat(election.role()).isEqualTo(Role.COOLING_DOWN);
        stubborn.letReturn();
        loop.pass(SOON);
        assertThat(election.isLeader()).isTrue();
        assertThat(stubborn.runsAtOnce()).isOne();
        loop.settle();
        assertThat(election.beginWork()).isPresent();
    }

    private void end(End end, ElectionEngine engine, Election election) {
        switch (end) {
            case TOO_LONG -> loop.pass(LIMIT);
            case LEASE_LOST -> loop.freeze(LEASE);
            case ABDICATED -> {
                CompletionStage<AbdicationOutcome> unused = election.abdicate(
                        Abdication.toAnyone().drainingFor(Duration.ZERO).coolingDownFor(Duration.ZERO));
            }
            case STOPPED -> {
                CompletionStage<Void> unused = engine.stop();
                loop.pass(Duration.ofMinutes(1));
                engine.start();
            }
            case OBSERVER -> {
                CompletionStage<Void> unused = election.setRole(AssignedRole.OBSERVER);
                loop.pass(Duration.ofMinutes(1));
                CompletionStage<Void> again = election.setRole(AssignedRole.CANDIDATE);
            }
        }
    }

    @Test
    void a_recovery_that_does_not_return_after_its_interruption_is_named_once() {
        Stubborn stubborn = new Stubborn();
        try (LoggedLines log = new LoggedLines("dev.election")) {
            startOn(stubborn::runOnItsThread, stubborn);
            loop.pass(LIMIT.plusSeconds(8));
            assertThat(log.with("has not returned")).isEmpty();
            loop.pass(Duration.ofHours(1));
            assertThat(log.with("has not returned"))
                    .containsExactly(
                            "The recovery 'recovery-1' of the election 'default' has not returned 10 s after it was"
                                    + " interrupted. This node does not campaign until it has: let the recovery end when it is"
                                    + " interrupted, or restart this node");
            stubborn.letReturn();
        }
    }

    @Test
    void a_node_that_waits_for_its_recovery_leaves_leadership_to_others_and_knows_who_leads() {
        Stubborn stubborn = new Stubborn();
        Election election = startOn(stubborn::runOnItsThread, stubborn);
        ElectionEngine second = node("second", Runnable::run);
        Election other = second.get(Election.DEFAULT);
        second.start();
        loop.pass(Duration.ofHours(1));
        assertThat(other.isLeader()).isTrue();
        assertThat(election.role()).isEqualTo(Role.COOLING_DOWN);
        assertThat(election.leader()).map(Leader::node).contains("second");
        stubborn.letReturn();
        loop.pass(SOON);
        assertThat(election.role()).isEqualTo(Role.FOLLOWER);
    }

    @Test
    void an_interrupt_that_a_recovery_leaves_on_its_thread_ends_with_it() {
        start(work -> Thread.currentThread().interrupt());
        recoverNow();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void each_recovery_has_the_whole_time_for_itself() {
        Election election = start(work -> ran.add("one"), work -> ran.add("two"));
        loop.pass(LIMIT.minus(SOON).minus(SOON));
        recoverNow();
        loop.pass(LIMIT.minus(SOON));
        recoverNow();
        assertThat(kinds()).containsExactly("Recovering", "Recovering", "Acquired");
        loop.pass(LIMIT);
        assertThat(election.beginWork()).isPresent();
    }

    @Test
    void an_abdication_waits_for_the_recovery_and_no_work_is_admitted_in_between() {
        Election election = start(work -> ran.add("one"), work -> ran.add("two"));
        CompletionStage<AbdicationOutcome> left = election.abdicate(Abdication.toAnyone());
        loop.settle();
        assertThat(left.toCompletableFuture()).isNotDone();
        recoverNow();
        recoverNow();
        assertThat(left.toCompletableFuture()).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(ran).containsExactly("one", "two");
        assertThat(kinds()).containsExactly("Recovering", "Resigning", "Recovering", "Lost");
    }

    @Test
    void a_node_that_recovers_does_not_hand_over_to_a_better_candidate_before_it_is_done() {
        ElectionEngine first = steered("first", this::runUnlessRecovery, 0);
        first.addRecovery("recovery", work -> ran.add("one"));
        Election election = first.get(Election.DEFAULT);
        first.start();
        loop.pass(SOON);
        ElectionEngine better = steered("better", Runnable::run, 1);
        Election other = better.get(Election.DEFAULT);
        better.start();
        loop.pass(Duration.ofMinutes(5));
        assertThat(election.isLeader()).isTrue();
        assertThat(election.role()).isEqualTo(Role.LEADER);
        recoverNow();
        loop.pass(Duration.ofMinutes(1));
        assertThat(other.isLeader()).isTrue();
        assertThat(ran).containsExactly("one");
    }

    /** Where members count, and a recovery may take an hour. */
    private ElectionEngine steered(String id, Executor callbacks, int priority) {
        return builder(id, callbacks)
                .recoverAtMost(Duration.ofHours(1))
                .members(MemberSettings.none())
                .steering(Steering.none().priority(priority).preempt(true))
                .build();
    }

    @Test
    void a_leadership_that_goes_on_before_anybody_has_heard_of_it_is_told_as_a_new_one() {
        HandDrivenElection election = leading();
        Recovery recovery = recovery(election, work -> {});
        LeadershipEvent acquired = acquired(1);
        LeadershipEvent resumed = resumed(1);
        List<LeadershipEvent> told = new ArrayList<>();

        recovery.see(held(1));
        recovery.pass(acquired, told::add);
        recovery.startIfDue();
        recovery.pass(resumed, told::add);
        assertThat(told).isEmpty();
        recoverNow();
        recovery.pass(resumed, told::add);
        assertThat(told).containsExactly(acquired);
        recovery.pass(resumed, told::add);
        assertThat(told).containsExactly(acquired, resumed);
    }

    @Test
    void nothing_is_told_of_a_leadership_that_ended_while_it_recovered() {
        LeaderRecovery once = work -> {};
        Recovery recovery = recovery(leading(), once);
        List<LeadershipEvent> told = new ArrayList<>();
        recovery.see(held(1));
        recovery.pass(acquired(1), told::add);
        recovery.see(null);
        configured.remove(once);
        recovery.see(held(2));
        recovery.pass(acquired(2), told::add);
        recovery.pass(resumed(2), told::add);
        assertThat(told).containsExactly(acquired(2), resumed(2));
    }

    @Test
    void a_leadership_that_ends_before_its_recovery_has_begun_has_no_running_work_left() {
        HandDrivenElection election = leading();
        Recovery recovery = recovery(election, work -> ran.add("one"));
        recovery.see(held(1));
        assertThat(election.runningWork()).isOne();
        recovery.see(null);
        assertThat(election.runningWork()).isZero();
        recovery.startIfDue();
        assertThat(recoveries).isEmpty();
    }

    private static HandDrivenElection leading() {
        HandDrivenElection election = new HandDrivenElections().get(Election.DEFAULT);
        election.lead();
        return election;
    }

    private Recovery recovery(Election election, LeaderRecovery added) {
        configured.add("recovery", added);
        return new Recovery(
                Election.DEFAULT,
                configured,
                token -> election.beginWork().orElseThrow(),
                EngineContext.over(new ScriptedStore(), loop, loop, recoveries::add),
                new Deaf());
    }

    private static HeldLease held(long token) {
        return new HeldLease(
                new Candidate(Election.DEFAULT, "1", new NodeInfo("me", "me:80")),
                leader(token),
                0,
                0,
                Instant.EPOCH,
                null,
                0,
                false,
                false);
    }

    private static Leader leader(long token) {
        return new Leader("me", "me:80", token(token), Instant.EPOCH);
    }

    private static LeadershipEvent acquired(long token) {
        return new LeadershipEvent.Acquired(Election.DEFAULT, Instant.EPOCH, leader(token));
    }

    private static LeadershipEvent resumed(long token) {
        return new LeadershipEvent.Resumed(Election.DEFAULT, Instant.EPOCH, token(token));
    }

    /** An election that does nothing of what a recovery says. */
    private static final class Deaf implements Recovery.Owner {

        @Override
        public void tell(LeadershipEvent event) {}

        @Override
        public void occupied(boolean isOccupied) {}

        @Override
        public void recovered() {}

        @Override
        public void giveUp(String reason) {}
    }

    @Test
    void a_listener_that_is_added_meanwhile_hears_that_the_node_recovers() {
        Election election = start(work -> {});
        events.clear();
        election.addListener(listening);
        loop.settle();
        assertThat(kinds()).containsExactly("Recovering");
        recoverNow();
        assertThat(kinds()).containsExactly("Recovering", "Acquired", "Acquired");
    }

    @Test
    void each_leadership_recovers_anew() {
        Election election = start(work -> ran.add("one"));
        recoverNow();
        CompletionStage<AbdicationOutcome> left = election.abdicate();
        loop.pass(LEASE);
        assertThat(left.toCompletableFuture()).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(election.isLeader()).isTrue();
        assertThat(election.beginWork()).isEmpty();
        recoverNow();
        assertThat(ran).containsExactly("one", "one");
        assertThat(election.beginWork()).isPresent();
    }

    @Test
    void a_leader_whose_listener_throws_at_the_beginning_gives_up_where_that_is_asked_for() {
        for (boolean givesUp : new boolean[] {false, true}) {
            ElectionEngine engine =
                    builder("node", Runnable::run).giveUpOnFailedStart(givesUp).build();
            Election election = engine.get("election-" + givesUp);
            election.addListener(new Throwing());
            engine.start();
            loop.pass(SOON);
            assertThat(election.role()).isEqualTo(givesUp ? Role.COOLING_DOWN : Role.LEADER);
        }
    }

    @Test
    void several_listeners_that_throw_at_one_beginning_count_once() {
        ElectionEngine engine =
                builder("node", Runnable::run).giveUpOnFailedStart(true).build();
        Election election = engine.get(Election.DEFAULT);
        Queue<LeaderWork> running = new ArrayDeque<>();
        election.addListener(listening);
        election.addListener(new LeadershipListener() {
            @Override
            public void onAcquired(LeadershipEvent.Acquired event) {
                running.add(election.beginWork().orElseThrow());
            }
        });
        for (int i = 0; i < 3; i++) {
            election.addListener(new Throwing());
        }
        engine.start();
        loop.pass(SOON);
        assertThat(kinds()).containsExactly("Acquired", "Resigning");
        running.remove().close();
        loop.pass(LEASE.plus(SOON));
        assertThat(kinds()).filteredOn("Acquired"::equals).hasSize(2);
        running.remove().close();
        loop.pass(LEASE.multipliedBy(2).minus(SOON));
        assertThat(election.role()).isEqualTo(Role.COOLING_DOWN);
        loop.pass(SOON.multipliedBy(2));
        assertThat(kinds()).filteredOn("Acquired"::equals).hasSize(3);
    }

    @Test
    void a_listener_that_throws_late_does_not_end_a_later_leadership() {
        Queue<Runnable> late = new ArrayDeque<>();
        ElectionEngine engine =
                builder("node", late::add).giveUpOnFailedStart(true).build();
        Election election = engine.get(Election.DEFAULT);
        election.addListener(new Throwing() {
            @Override
            public void onAcquired(LeadershipEvent.Acquired event) {
                if (events.isEmpty()) {
                    events.add(event);
                    super.onAcquired(event);
                }
            }
        });
        engine.start();
        loop.pass(SOON);
        CompletionStage<AbdicationOutcome> unused = election.abdicate();
        loop.pass(LEASE);
        assertThat(election.isLeader()).isTrue();
        while (!late.isEmpty()) {
            late.remove().run();
            loop.settle();
        }
        assertThat(events).hasSize(1);
        assertThat(election.role()).isEqualTo(Role.LEADER);
    }

    private static class Throwing implements LeadershipListener {
        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            throw new IllegalStateException("no port");
        }
    }

    @Test
    void a_leader_that_gives_up_while_it_abdicates_stays_out_for_the_longer_time() {
        Election election = start();
        LeaderWork work = election.beginWork().orElseThrow();
        CompletionStage<AbdicationOutcome> abdicated = election.abdicate(Abdication.toAnyone());
        loop.settle();
        CompletionStage<AbdicationOutcome> left = election.giveUp("no disk");
        loop.settle();
        work.close();
        loop.pass(LEASE.minus(SOON));
        assertThat(abdicated.toCompletableFuture()).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(left.toCompletableFuture()).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(election.role()).isEqualTo(Role.COOLING_DOWN);
        loop.pass(SOON.multipliedBy(2));
        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void a_node_that_does_not_lead_has_nothing_to_give_up() {
        Election election = builder("node", Runnable::run).build().get(Election.DEFAULT);
        CompletionStage<AbdicationOutcome> left = election.giveUp("no disk");
        loop.settle();
        assertThat(left.toCompletableFuture()).isCompletedWithValue(AbdicationOutcome.NOT_LEADER);
    }

    @Test
    void a_node_that_has_led_for_an_hour_stays_out_for_a_lease_again() {
        Election election = start();
        for (int times = 1; times <= 2; times++) {
            giveUpAndReturn(election, LEASE.multipliedBy(times));
        }
        loop.pass(Duration.ofHours(1));
        giveUpAndReturn(election, LEASE);
    }

    @Test
    void giving_up_while_the_node_becomes_an_observer_does_not_count() {
        Election election = start();
        LeaderWork work = election.beginWork().orElseThrow();
        election.setRole(AssignedRole.OBSERVER);
        loop.settle();
        CompletionStage<AbdicationOutcome> left = election.giveUp("no disk");
        loop.settle();
        work.close();
        loop.pass(SOON);
        assertThat(left.toCompletableFuture()).isDone();
        election.setRole(AssignedRole.CANDIDATE);
        loop.pass(LEASE);
        assertThat(election.isLeader()).isTrue();
        giveUpAndReturn(election, LEASE);
    }

    private void giveUpAndReturn(Election election, Duration pause) {
        CompletionStage<AbdicationOutcome> left = election.giveUp("no disk");
        loop.pass(pause.plus(SOON));
        assertThat(left.toCompletableFuture()).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(election.isLeader()).as("after " + pause).isTrue();
    }

    @Test
    void the_pauses_of_a_node_that_gives_up_begin_anew_after_an_hour_of_leadership() {
        Pauses pauses = new Pauses(LEASE);
        assertThat(pauses.after(token(1), Duration.ZERO)).isEqualTo(LEASE);
        assertThat(pauses.after(token(1), Duration.ofSeconds(1))).isEqualTo(LEASE);
        assertThat(pauses.after(token(2), Duration.ofMinutes(59))).isEqualTo(LEASE.multipliedBy(2));
        for (int i = 3; i < 100; i++) {
            pauses.after(token(i), Duration.ZERO);
        }
        assertThat(pauses.after(token(100), Duration.ZERO)).isEqualTo(Duration.ofHours(1));
        assertThat(pauses.after(token(101), Duration.ofHours(1))).isEqualTo(LEASE);
    }

    private static FencingToken token(long value) {
        return new FencingToken(value);
    }

    /** A recovery that heeds no interruption: its first run returns when the test says so, each later one at once. Each has a thread of its own. */
    private static final class Stubborn implements LeaderRecovery {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayReturn = new CountDownLatch(1);
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private @Nullable Thread first;

        void runOnItsThread(Runnable task) {
            if (!SimulatedRecoveries.isRecovery(task)) {
                task.run();
                return;
            }
            Thread thread = new Thread(task, "stubborn");
            thread.start();
            if (first == null) {
                first = thread;
                awaitUninterruptibly(begun);
            } else {
                joined(thread);
            }
        }

        @Override
        public void recover(LeaderWork work) {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            if (begun.getCount() > 0) {
                begun.countDown();
                awaitUninterruptibly(mayReturn);
            }
            running.decrementAndGet();
        }

        /** The highest number of runs so far that were under way at the same time. */
        int runsAtOnce() {
            return most.get();
        }

        void letReturn() {
            mayReturn.countDown();
            joined(Objects.requireNonNull(first));
        }

        private static void joined(Thread thread) {
            try {
                thread.join(10_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private static void awaitUninterruptibly(CountDownLatch latch) {
            boolean isOver = false;
            while (!isOver) {
                try {
                    latch.await();
                    isOver = true;
                } catch (InterruptedException ignored) {
                    // As a recovery that does not heed it.
                }
            }
        }
    }

    /** A recovery that ends when it is interrupted, on a thread of its own. A second one returns at once. */
    private static final class Blocked implements LeaderRecovery {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
        private @Nullable Thread thread;

        Executor thread() {
            return task -> {
                if (SimulatedRecoveries.isRecovery(task) && thread == null) {
                    thread = new Thread(task, "recovery");
                    thread.start();
                } else {
                    task.run();
                }
            };
        }

        @Override
        public void recover(LeaderWork work) throws InterruptedException {
            if (begun.getCount() == 0) {
                return;
            }
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                isInterrupted.complete(true);
                throw e;
            }
        }

        void awaitBegin() throws InterruptedException {
            begun.await();
        }

        void awaitInterrupt() throws InterruptedException {
            if (thread != null) {
                thread.join(10_000);
            }
            assertThat(isInterrupted).isCompletedWithValue(true);
        }
    }
}
