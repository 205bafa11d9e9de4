package dev.election.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.Timing;
import dev.election.internal.election.ElectionFixture;
import dev.election.internal.election.LocalElection;
import dev.election.internal.election.ScriptedStore;
import dev.election.record.AtomicLeaseStore;
import dev.election.testing.EachEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ListenerDispatcherTest {

    private final ElectionFixture fixture = ElectionFixture.leading();

    @Test
    void a_listener_that_comes_late_hears_first_that_this_node_leads() {
        List<LeadershipEvent> heard = new ArrayList<>();
        fixture.election.addListener(recorder(heard));
        fixture.loop.settle();
        assertThat(heard).singleElement().isInstanceOfSatisfying(LeadershipEvent.Acquired.class, event -> assertThat(
                        event.leader())
                .isEqualTo(fixture.election.leader().orElseThrow()));
    }

    @Test
    void a_listener_that_is_removed_hears_no_more() {
        List<LeadershipEvent> heard = new ArrayList<>();
        LeadershipListener listener = recorder(heard);
        fixture.election.addListener(listener);
        fixture.election.removeListener(listener);
        fixture.pass(Duration.ofSeconds(20));
        assertThat(heard.stream().filter(LeadershipEvent.Lost.class::isInstance))
                .isEmpty();
    }

    @Test
    void a_listener_that_throws_disturbs_nobody() {
        fixture.election.addListener(new EachEvent(event -> {
            throw new IllegalStateException("a defect of the listener");
        }));
        List<LeadershipEvent> heard = new ArrayList<>();
        fixture.election.addListener(recorder(heard));
        fixture.pass(Duration.ofSeconds(15));
        fixture.answerCampaign(ScriptedStore.granted(101));
        assertThat(fixture.election.isLeader()).isTrue();
        assertThat(heard.stream().filter(LeadershipEvent.Acquired.class::isInstance))
                .hasSize(2);
    }

    @Test
    void a_stop_is_over_when_every_listener_has_heard_of_it() {
        Queue<Runnable> threads = new ArrayDeque<>();
        ListenerDispatcher dispatcher = new ListenerDispatcher(Runnable::run, threads::add);
        List<LeadershipEvent> heard = new ArrayList<>();
        dispatcher.add(recorder(heard));
        dispatcher.tell(List.of(new LeadershipEvent.StoreRecovered("e", Instant.EPOCH)));
        CompletableFuture<Void> called = called(dispatcher);
        assertThat(called).isNotDone();
        threads.remove().run();
        assertThat(heard).hasSize(1);
        assertThat(called).isCompleted();
    }

    @Test
    void a_listener_that_stops_the_election_does_not_wait_for_itself() {
        ListenerDispatcher dispatcher = new ListenerDispatcher(Runnable::run, Runnable::run);
        List<CompletableFuture<Void>> stops = new ArrayList<>();
        dispatcher.add(new EachEvent(event -> {
            CompletableFuture<Void> called = called(dispatcher);
            assertThat(called).isCompleted();
            stops.add(called);
        }));
        dispatcher.tell(List.of(new LeadershipEvent.StoreRecovered("e", Instant.EPOCH)));
        assertThat(stops).hasSize(1);
    }

    @Test
    void a_stop_does_not_wait_for_threads_that_are_refused() {
        ListenerDispatcher dispatcher = new ListenerDispatcher(Runnable::run, task -> {
            throw new RejectedExecutionException("as the test wants it");
        });
        dispatcher.add(recorder(new ArrayList<>()));
        dispatcher.tell(List.of(new LeadershipEvent.StoreRecovered("e", Instant.EPOCH)));
        assertThat(called(dispatcher)).isCompleted();
    }

    @Test
    void a_stop_waits_for_a_listener_that_is_still_busy_with_an_earlier_event() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        CountDownLatch release = new CountDownLatch(1);
        try {
            ListenerDispatcher dispatcher = new ListenerDispatcher(Runnable::run, threads);
            List<LeadershipEvent> heard = busyIn(dispatcher, release);
            LeadershipEvent last = new LeadershipEvent.ElectionStarted("e", Instant.EPOCH);
            dispatcher.tell(List.of(last));
            CompletableFuture<Void> called = called(dispatcher);
            assertThat(called).isNotDone();
            release.countDown();
            called.get(10, TimeUnit.SECONDS);
            assertThat(heard).endsWith(last);
        } finally {
            release.countDown();
            threads.shutdown();
        }
    }

    @Test
    void a_listener_that_does_not_return_is_waited_for_no_longer_than_allowed() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        CountDownLatch release = new CountDownLatch(1);
        try {
            ListenerDispatcher dispatcher = new ListenerDispatcher(Runnable::run, threads);
            List<LeadershipEvent> heard = busyIn(dispatcher, release);
            dispatcher.called(Duration.ofMillis(1), Thread.currentThread()).get(10, TimeUnit.SECONDS);
            assertThat(heard).isEmpty();
        } finally {
            release.countDown();
            threads.shutdown();
        }
    }

    @Test
    void dozens_of_listeners_that_do_not_return_keep_nothing_from_another() throws Exception {
        CallbackThreads threads = new CallbackThreads();
        CountDownLatch release = new CountDownLatch(1);
        try {
            ListenerDispatcher dispatcher = new ListenerDispatcher(Runnable::run, threads);
            for (int i = 0; i < 36; i++) {
                busyIn(dispatcher, release);
            }
            CompletableFuture<LeadershipEvent> heard = new CompletableFuture<>();
            dispatcher.add(new EachEvent(heard::complete));
            LeadershipEvent last = new LeadershipEvent.ElectionStarted("e", Instant.EPOCH);
            dispatcher.tell(List.of(last));
            assertThat(heard.get(10, TimeUnit.SECONDS)).isEqualTo(last);
        } finally {
            release.countDown();
            threads.finish();
        }
    }

    @Test
    void a_listener_that_was_waited_for_in_vain_is_waited_for_again_only_when_it_has_been_told_more() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        CountDownLatch release = new CountDownLatch(1);
        try {
            ListenerDispatcher dispatcher = new ListenerDispatcher(Runnable::run, threads);
            busyIn(dispatcher, release);
            dispatcher.called(Duration.ofMillis(1), Thread.currentThread()).get(10, TimeUnit.SECONDS);
            assertThat(called(dispatcher)).isCompleted();
            dispatcher.tell(List.of(new LeadershipEvent.ElectionStarted("e", Instant.EPOCH)));
            assertThat(called(dispatcher)).isNotDone();
        } finally {
            release.countDown();
            threads.shutdown();
        }
    }

    @Test
    void a_hand_over_that_is_refused_is_made_up_for_with_the_next_event() {
        AtomicBoolean refuses = new AtomicBoolean(true);
        ListenerDispatcher dispatcher = new ListenerDispatcher(Runnable::run, task -> {
            if (refuses.get()) {
                throw new RejectedExecutionException("as the test wants it");
            }
            task.run();
        });
        List<LeadershipEvent> heard = new ArrayList<>();
        dispatcher.add(recorder(heard));
        LeadershipEvent first = new LeadershipEvent.StoreRecovered("e", Instant.EPOCH);
        LeadershipEvent second = new LeadershipEvent.ElectionStarted("e", Instant.EPOCH);
        dispatcher.tell(List.of(first));
        assertThat(heard).isEmpty();
        refuses.set(false);
        dispatcher.tell(List.of(second));
        assertThat(heard).containsExactly(first, second);
    }

    @Test
    void what_callers_do_after_an_abdication_does_not_hold_up_the_election_thread() throws Exception {
        AtomicLeaseStore store = new AtomicLeaseStore(System::currentTimeMillis);
        try (ElectionEngine engine = ElectionEngine.over(store)
                .timing(Timing.ofLease(Duration.ofSeconds(1)))
                .build()) {
            engine.start();
            assertThat(engine.get("reports").awaitLeadership(Duration.ofSeconds(10)))
                    .isTrue();
            String thread = engine.get("reports")
                    .abdicate()
                    .thenApply(outcome -> Thread.currentThread().getName())
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS);
            assertThat(thread).isNotEqualTo("election");
        }
    }

    @Test
    void work_that_outlasts_the_engine_ends_without_an_error() throws Exception {
        AtomicLeaseStore store = new AtomicLeaseStore(System::currentTimeMillis);
        ElectionEngine engine = ElectionEngine.over(store)
                .timing(new Timing(Duration.ofSeconds(1), Duration.ofMillis(300), Duration.ZERO))
                .build();
        engine.start();
        dev.election.Election election = engine.get("reports");
        assertThat(election.awaitLeadership(Duration.ofSeconds(10))).isTrue();
        dev.election.LeaderWork work = election.beginWork().orElseThrow();
        engine.close();
        work.close();
        election.removeListener(recorder(new ArrayList<>()));
        assertThat(election.abdicate().toCompletableFuture())
                .isCompletedWithValue(dev.election.AbdicationOutcome.NOT_LEADER);
        engine.close();
    }

    @Test
    void a_slow_listener_delays_neither_the_election_nor_another_listener_and_misses_nothing() throws Exception {
        AtomicLeaseStore store = new AtomicLeaseStore(System::currentTimeMillis);
        CountDownLatch release = new CountDownLatch(1);
        List<LeadershipEvent> slow = Collections.synchronizedList(new ArrayList<>());
        List<LeadershipEvent> quick = Collections.synchronizedList(new ArrayList<>());
        try (ElectionEngine engine = ElectionEngine.over(store)
                .timing(Timing.ofLease(Duration.ofSeconds(1)))
                .build()) {
            LocalElection election = (LocalElection) engine.get("reports");
            election.addListener(new EachEvent(event -> {
                try {
                    assertThat(release.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                slow.add(event);
            }));
            election.addListener(recorder(quick));
            engine.start();
            assertThat(election.awaitLeadership(Duration.ofSeconds(10))).isTrue();
            // Renewed several times while the slow listener still holds the first event.
            Awaitility.await().until(() -> store.of("reports").holder() != null && !quick.isEmpty());
            election.abdicate().toCompletableFuture().get(10, TimeUnit.SECONDS);
            Awaitility.await().until(() -> quick.stream().anyMatch(LeadershipEvent.Lost.class::isInstance));
            assertThat(slow).isEmpty();
            List<LeadershipEvent> soFar = List.copyOf(quick);
            release.countDown();
            Awaitility.await().until(() -> slow.size() >= soFar.size());
            assertThat(slow).startsWith(soFar.toArray(LeadershipEvent[]::new));
        }
    }

    @Test
    void every_kind_of_event_reaches_its_method() {
        Leader leader = ScriptedStore.leader("other", 7);
        Instant now = Instant.EPOCH;
        Map<String, LeadershipEvent> events = Map.of(
                "started", new LeadershipEvent.ElectionStarted("e", now),
                "completed", new LeadershipEvent.ElectionCompleted("e", now, leader, false),
                "acquired", new LeadershipEvent.Acquired("e", now, leader),
                "resigning", new LeadershipEvent.Resigning("e", now, leader.token(), dev.election.LossReason.STOPPED),
                "lost",
                        new LeadershipEvent.Lost(
                                "e", now, leader.token(), dev.election.LossReason.EXPIRED, Duration.ZERO),
                "changed", new LeadershipEvent.LeaderChanged("e", now, java.util.Optional.empty()),
                "failed", new LeadershipEvent.StoreFailed("e", now, dev.election.StoreProblem.LOADING, "loading"),
                "recovered", new LeadershipEvent.StoreRecovered("e", now));
        events.forEach((kind, event) -> {
            List<String> heard = new ArrayList<>();
            new KindRecorder(heard).onEvent(event);
            assertThat(heard).containsExactly(kind);
        });
    }

    /** A listener that does not return from its first event before it may. */
    private static List<LeadershipEvent> busyIn(ListenerDispatcher dispatcher, CountDownLatch release)
            throws InterruptedException {
        List<LeadershipEvent> heard = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch isCalled = new CountDownLatch(1);
        dispatcher.add(new EachEvent(event -> {
            isCalled.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            heard.add(event);
        }));
        dispatcher.tell(List.of(new LeadershipEvent.StoreRecovered("e", Instant.EPOCH)));
        assertThat(isCalled.await(10, TimeUnit.SECONDS)).isTrue();
        return heard;
    }

    private static LeadershipListener recorder(List<LeadershipEvent> heard) {
        return new EachEvent(heard::add);
    }

    private record KindRecorder(List<String> heard) implements LeadershipListener {
        @Override
        public void onElectionStarted(LeadershipEvent.ElectionStarted event) {
            heard.add("started");
        }

        @Override
        public void onElectionCompleted(LeadershipEvent.ElectionCompleted event) {
            heard.add("completed");
        }

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            heard.add("acquired");
        }

        @Override
        public void onResigning(LeadershipEvent.Resigning event) {
            heard.add("resigning");
        }

        @Override
        public void onLost(LeadershipEvent.Lost event) {
            heard.add("lost");
        }

        @Override
        public void onLeaderChanged(LeadershipEvent.LeaderChanged event) {
            heard.add("changed");
        }

        @Override
        public void onStoreFailed(LeadershipEvent.StoreFailed event) {
            heard.add("failed");
        }

        @Override
        public void onStoreRecovered(LeadershipEvent.StoreRecovered event) {
            heard.add("recovered");
        }
    }

    private static CompletableFuture<Void> called(ListenerDispatcher dispatcher) {
        return dispatcher.called(Duration.ofMinutes(5), Thread.currentThread());
    }
}
