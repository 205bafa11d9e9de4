package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.OnLoss;
import dev.election.testing.HandDrivenElection;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OnLossTest {

    private final GuardContext context = new GuardContext().with(Worker.class);
    private final HandDrivenElection election = context.elections.lead("default");

    @AfterEach
    void leaves_no_interrupt_behind() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void a_waiting_call_is_interrupted_by_the_loss() {
        context.withBean(Worker.class, bean -> {
            CountDownLatch waiting = new CountDownLatch(1);
            FutureTask<String> call = inBackground(() -> bean.interruptible(() -> {
                waiting.countDown();
                try {
                    new CountDownLatch(1).await();
                    return "went on";
                } catch (InterruptedException e) {
                    return "interrupted";
                }
            }));
            assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
            election.follow();
            assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("interrupted");
        });
    }

    @Test
    void the_interrupt_comes_exactly_once() {
        context.withBean(Worker.class, bean -> assertThat(bean.interruptible(() -> {
                    election.follow();
                    boolean first = Thread.interrupted();
                    election.repeatLossOf(new FencingToken(1));
                    return first + " " + Thread.interrupted();
                }))
                .isEqualTo("true false"));
    }

    @Test
    void the_interrupt_never_outlives_the_call() {
        context.withBean(Worker.class, bean -> {
            assertThat(bean.interruptible(() -> {
                        election.follow();
                        return "ended without looking";
                    }))
                    .isEqualTo("ended without looking");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            election.repeatLossOf(new FencingToken(1));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void an_interrupt_that_the_caller_brought_along_stays() {
        context.withBean(Worker.class, bean -> {
            Thread.currentThread().interrupt();
            bean.interruptible(() -> {
                election.follow();
                return "done";
            });
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    void the_loss_of_an_older_leadership_interrupts_nothing() {
        context.withBean(Worker.class, bean -> {
            bean.interruptible(() -> "first");
            election.follow();
            election.lead();
            assertThat(bean.interruptible(() -> {
                        election.repeatLossOf(new FencingToken(1));
                        return "interrupted: " + Thread.currentThread().isInterrupted();
                    }))
                    .isEqualTo("interrupted: false");
        });
    }

    @Test
    void a_call_that_fails_is_not_interrupted_later() {
        context.withBean(Worker.class, bean -> {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> bean.interruptible(() -> {
                        throw new IllegalStateException();
                    }));
            election.follow();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void a_call_that_may_continue_is_not_interrupted() {
        context.withBean(Worker.class, bean -> assertThat(bean.continuing(() -> {
                    election.follow();
                    return "interrupted: " + Thread.currentThread().isInterrupted();
                }))
                .isEqualTo("interrupted: false"));
    }

    private static FutureTask<String> inBackground(Callable<String> work) {
        FutureTask<String> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "guarded-call");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    static class Worker {

        @LeaderOnly(onLoss = OnLoss.INTERRUPT)
        public String interruptible(Callable<String> work) throws Exception {
            return work.call();
        }

        @LeaderOnly
        public String continuing(Callable<String> work) throws Exception {
            return work.call();
        }
    }
}
