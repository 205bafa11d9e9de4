package dev.election.internal.engine;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The one thing that a request waits for on the loop: an answer or a point in time. Waiting for another one replaces it. */
final class Inquiry {

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
        answer.thenAccept(reply -> loop.offerHere(() -> {
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
}
