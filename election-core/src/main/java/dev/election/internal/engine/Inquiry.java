package dev.election.internal.engine;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thing that a request waits for on the loop: an answer or a point in time. Waiting for another one replaces it. */
final class Inquiry {

    private static final Logger log = LoggerFactory.getLogger(Inquiry.class);

    private final Loop loop;
    private final Clock clock;
    private Loop.@Nullable Alarm alarm;
    private int number;

    Inquiry(Loop loop, Clock clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /** Waits for an answer, but not for longer than that. */
    <T> void ask(CompletionStage<T> answer, long patience, Consumer<? super T> next, Runnable unanswered) {
        int asked = begin(clock.nanos() + patience, unanswered);
        answer.thenAccept(reply -> onLoop(() -> {
            if (asked == number) {
                end();
                next.accept(reply);
            }
        }));
    }

    /** Waits for that time. */
    void wait(long until, Runnable next) {
        begin(until, next);
    }

    /** Waits for nothing any more. */
    void end() {
        number++;
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    private int begin(long until, Runnable next) {
        end();
        int begun = number;
        alarm = loop.alarm(until, () -> {
            if (begun == number) {
                next.run();
            }
        });
        return begun;
    }

    private void onLoop(Runnable task) {
        try {
            loop.executeHere(task);
        } catch (RejectedExecutionException closed) {
            log.trace("The engine is closed", closed);
        }
    }
}
