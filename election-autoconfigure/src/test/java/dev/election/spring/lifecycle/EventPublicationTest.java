package dev.election.spring.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.store.LeaseStore;
import dev.election.store.test.InMemoryLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

/** Who hears of an election, with a real engine. */
@ExtendWith(OutputCaptureExtension.class)
class EventPublicationTest {

    private static final List<String> TRACE = new CopyOnWriteArrayList<>();

    private final ApplicationContextRunner runner = LifecycleContext.runner()
            .withBean(LeaseStore.class, () -> new InMemoryLeaseStore(() -> System.nanoTime() / 1_000_000 + 1));

    @BeforeEach
    void begins_with_nothing() {
        TRACE.clear();
    }

    @Test
    void an_event_listener_hears_its_kind_of_event_and_also_the_end() {
        runner.withBean(SpringListener.class)
                .run(context -> await().untilAsserted(() -> assertThat(TRACE).containsExactly("acquired default")));
        assertThat(TRACE).containsExactly("acquired default", "resigning default", "lost default STOPPED");
    }

    @Test
    void a_listener_bean_hears_on_a_thread_that_is_not_the_elections_own() {
        runner.withBean(ListenerBean.class).run(context -> {
            await().untilAsserted(() ->
                    assertThat(context.getBean(ListenerBean.class).threads).hasSize(1));
            assertThat(context.getBean(ListenerBean.class).threads)
                    .allMatch(thread -> thread.startsWith("election-callback-"));
        });
    }

    @Test
    void a_listener_that_throws_or_hangs_disturbs_nobody(CapturedOutput output) {
        CountDownLatch end = new CountDownLatch(1);
        runner.withBean("hanging", Hanging.class, () -> new Hanging(end))
                .withBean(Throwing.class)
                .withBean(SpringListener.class)
                .withPropertyValues("election.lease=1s")
                .run(context -> {
                    await().untilAsserted(() -> assertThat(TRACE).contains("acquired default"));
                    await().until(() -> output.getOut().contains("Throwing failed to handle"));
                    Election election = context.getBean(Elections.class).get("default");
                    Duration firstLease = Duration.ofSeconds(1);
                    await().during(firstLease).until(election::isLeader);
                    end.countDown();
                });
    }

    @Test
    void an_event_listener_that_throws_disturbs_no_listener_bean(CapturedOutput output) {
        runner.withBean(ThrowingSpringListener.class)
                .withBean(ListenerBean.class)
                .run(context -> {
                    await().untilAsserted(() -> assertThat(context.getBean(ListenerBean.class).threads)
                            .hasSize(1));
                    await().until(() -> output.getOut().contains("broken event listener"));
                    assertThat(output.getOut())
                            .contains(
                                    "Listener of Spring events (@EventListener, ApplicationListener) failed to handle");
                    assertThat(context.getBean(Elections.class).get("default").isLeader())
                            .isTrue();
                });
    }

    @Test
    void a_leader_bound_bean_starts_and_stops_on_a_thread_that_is_not_the_elections_own() {
        runner.withBean(BoundToThread.class)
                .run(context -> await().untilAsserted(() -> assertThat(TRACE).hasSize(1)));
        assertThat(TRACE).hasSize(2).allMatch(thread -> !thread.matches("election(-\\d+)?"));
        assertThat(TRACE.get(0)).startsWith("election-callback-");
    }

    static class SpringListener {

        @EventListener
        void onAcquired(LeadershipEvent.Acquired event) {
            TRACE.add("acquired " + event.election());
        }

        @EventListener
        void onResigning(LeadershipEvent.Resigning event) {
            TRACE.add("resigning " + event.election());
        }

        @EventListener
        void onLost(LeadershipEvent.Lost event) {
            TRACE.add("lost " + event.election() + " " + event.reason());
        }
    }

    static class ThrowingSpringListener {
        @EventListener
        void onAcquired(LeadershipEvent.Acquired event) {
            throw new IllegalStateException("broken event listener");
        }
    }

    static class ListenerBean implements LeadershipListener {

        private final List<String> threads = new CopyOnWriteArrayList<>();

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            threads.add(Thread.currentThread().getName());
        }
    }

    record Hanging(CountDownLatch end) implements LeadershipListener {
        @Override
        public void onEvent(LeadershipEvent event) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Throwing implements LeadershipListener {
        @Override
        public void onEvent(LeadershipEvent event) {
            throw new IllegalStateException("broken listener");
        }
    }

    @LeaderOnly
    static class BoundToThread extends RecordedLifecycle {

        BoundToThread() {
            super("bound", 0, new CopyOnWriteArrayList<>());
        }

        @Override
        public void start() {
            TRACE.add(Thread.currentThread().getName());
        }

        @Override
        public void stop() {
            TRACE.add(Thread.currentThread().getName());
        }
    }
}
