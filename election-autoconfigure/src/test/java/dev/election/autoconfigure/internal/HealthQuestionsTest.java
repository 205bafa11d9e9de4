package dev.election.autoconfigure.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether this process is up is asked on a thread of its own. */
class HealthQuestionsTest {

    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final AtomicLong now = new AtomicLong();

    private HealthQuestions questions(Supplier<@Nullable String> question) {
        return new HealthQuestions(question, (problem, askedAt) -> answers.add(problem + " at " + askedAt), now::get);
    }

    private HealthQuestions questionsThatHangUntil(CountDownLatch mayReturn) {
        return questions(() -> {
            try {
                mayReturn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return null;
        });
    }

    private void ask(HealthQuestions questions) {
        now.incrementAndGet();
        questions.ask();
    }

    private @Nullable String answer() throws InterruptedException {
        return answers.poll(10, TimeUnit.SECONDS);
    }

    @Test
    void each_question_has_an_answer_with_the_time_at_which_it_was_asked() throws Exception {
        try (HealthQuestions questions =
                questions(() -> now.get() == 1 ? null : Thread.currentThread().getName())) {
            ask(questions);
            assertThat(answer()).isEqualTo("null at 1");
            ask(questions);
            assertThat(answer()).isEqualTo("election-health at 2");
        }
    }

    @Test
    void a_question_that_throws_is_answered_with_that() throws Exception {
        try (HealthQuestions questions = questions(() -> {
            if (now.get() == 1) {
                throw new IllegalStateException("broken");
            }
            throw new NoClassDefFoundError("missing");
        })) {
            ask(questions);
            assertThat(answer()).isEqualTo("java.lang.IllegalStateException: broken at 1");
            ask(questions);
            assertThat(answer()).isEqualTo("java.lang.NoClassDefFoundError: missing at 2");
        }
    }

    @Test
    void a_question_that_hangs_counts_as_an_answer_down_each_time() throws Exception {
        CountDownLatch mayReturn = new CountDownLatch(1);
        try (HealthQuestions questions = questionsThatHangUntil(mayReturn)) {
            ask(questions);
            ask(questions);
            assertThat(answer()).isEqualTo("no answer for 5 s at 2");
            ask(questions);
            assertThat(answer()).isEqualTo("no answer for 5 s at 3");
            mayReturn.countDown();
            assertThat(answer()).isEqualTo("null at 1");
        }
    }

    @Test
    void an_answer_that_comes_after_the_next_question_is_no_answer() throws Exception {
        CountDownLatch mayReturn = new CountDownLatch(1);
        try (HealthQuestions questions = questionsThatHangUntil(mayReturn)) {
            ask(questions);
            now.addAndGet(HealthQuestions.PAUSE.toNanos());
            mayReturn.countDown();
            String next;
            do {
                ask(questions);
                next = answer();
            } while (next != null && next.startsWith("no answer"));
            assertThat(next).isNotEqualTo("null at 1").startsWith("null at ");
        }
    }
}
