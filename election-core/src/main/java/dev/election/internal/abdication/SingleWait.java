package dev.election.internal.abdication;

import dev.election.engine.Clock;
import dev.election.engine.Loop;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The pending wait of a request, for an answer or a time. A new wait replaces the former one. Used on the loop only. */
final class SingleWait {

    private final Loop loop;
    private final Clock clock;
    private Loop.@Nullable Alarm alarm;
    private int number;

    SingleWait(Loop loop, Clock clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /** Waits for an answer, or until that patience is over. */
    <T> void forAnswer(CompletionStage<T> answer, long patience, Consumer<? super T> next, Runnable unanswered) {
        int asked = begin(clock.nanos() + patience, unanswered);
        answer.thenAccept(reply -> loop.offerHere(() -> {
            if (asked == number) {
                cancel();
                next.accept(reply);
            }
        }));
    }

    /** Waits until that time. */
    void until(long time, Runnable next) {
        begin(time, next);
    }

    /** Ends the wait. */
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
