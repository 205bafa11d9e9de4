package dev.election.internal.engine;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The one thing that a request waits for on the loop: an answer or a point in time. Waiting for another one replaces it. */
final class SingleWait {

    private final Loop loop;
    private final Clock clock;
    private Loop.@Nullable Alarm alarm;
    private int number;

    SingleWait(Loop loop, Clock clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /** Waits for an answer, but not for longer than that. */
    <T> void forAnswer(CompletionStage<T> answer, long patience, Consumer<? super T> next, Runnable unanswered) {
        int asked = begin(clock.nanos() + patience, unanswered);
        answer.thenAccept(reply -> loop.offerHere(() -> {
            if (asked == number) {
                cancel();
                next.accept(reply);
            }
        }));
    }

    /** Waits for that time. */
    void until(long time, Runnable next) {
        begin(time, next);
    }

    /** Waits for nothing any more. */
    void cancel() {
        number++;
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    private int begin(long until, Runnable next) {
        cancel();
        int begun = number;
        alarm = loop.alarm(until, () -> {
            if (begun == number) {
                next.run();
            }
        });
        return begun;
    }
}
