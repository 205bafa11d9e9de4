package dev.election.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class CallbackThreadsTest {

    @AutoClose("finish")
    private final CallbackThreads threads = new CallbackThreads();

    @Test
    void a_thread_that_waits_is_used_before_another_is_begun() throws Exception {
        Set<Thread> used = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Boolean> ran = new CompletableFuture<>();
            threads.execute(() -> ran.complete(used.add(Thread.currentThread())));
            ran.get(10, TimeUnit.SECONDS);
            // One that has waited for too long ends, and is not waited for.
            assertThat(used).filteredOn(Thread::isAlive).hasSizeLessThanOrEqualTo(1);
            Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> isWaiting(used));
        }
    }

    @Test
    void what_comes_while_dozens_are_busy_is_done_when_one_is_free_or_when_it_has_waited_for_too_long()
            throws Exception {
        BlockingQueue<Runnable> looks = new LinkedBlockingQueue<>();
        CallbackThreads watched = new CallbackThreads(looks::add);
        CountDownLatch held = new CountDownLatch(1);
        try {
            CountDownLatch busy = occupy(watched, 32, held);
            assertThat(busy.await(10, TimeUnit.SECONDS)).isTrue();
            CountDownLatch more = occupy(watched, 32, held);
            CountDownLatch late = new CountDownLatch(100);
            for (int i = 0; i < 100; i++) {
                watched.execute(late::countDown);
            }
            look(looks);
            assertThat(more.getCount()).isEqualTo(32);
            look(looks);
            assertThat(more.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(late.getCount()).isEqualTo(100);
            look(looks);
            look(looks);
            assertThat(late.await(10, TimeUnit.SECONDS)).isTrue();
            look(looks);
            assertThat(looks).as("looks while nothing waits").isEmpty();
        } finally {
            held.countDown();
            watched.finish();
        }
    }

    @Test
    void what_comes_while_hundreds_do_not_return_does_not_wait_for_them() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        try {
            assertThat(occupy(threads, 200, held).await(10, TimeUnit.SECONDS)).isTrue();
            CountDownLatch late = new CountDownLatch(1);
            threads.execute(late::countDown);
            assertThat(late.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            held.countDown();
        }
    }

    @Test
    void takes_nothing_on_once_it_has_finished() {
        threads.finish();
        assertThatThrownBy(() -> threads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void does_not_wait_for_the_thread_that_finishes_it() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        threads.execute(() -> {
            threads.finish();
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        assertThat(interrupted.get(10, TimeUnit.SECONDS)).isFalse();
    }

    private static boolean isWaiting(Set<Thread> threads) {
        return threads.stream()
                .filter(Thread::isAlive)
                .map(Thread::getState)
                .allMatch(state -> state == Thread.State.TIMED_WAITING || state == Thread.State.WAITING);
    }

    private static CountDownLatch occupy(CallbackThreads threads, int count, CountDownLatch held) {
        CountDownLatch busy = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            threads.execute(() -> {
                busy.countDown();
                awaitQuietly(held);
            });
        }
        return busy;
    }

    private static void look(BlockingQueue<Runnable> looks) throws InterruptedException {
        Runnable look = looks.poll(10, TimeUnit.SECONDS);
        assertThat(look).isNotNull();
        look.run();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
