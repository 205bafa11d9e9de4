package dev.election.harness;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The conditions of a link: how it passes bytes in each direction.
 *
 * @param requests on their way to Redis
 * @param replies on their way back
 */
public record Conditions(Flow requests, Flow replies) {

    public static final Conditions FINE = new Conditions(Flow.FREE, Flow.FREE);
    public static final Conditions CUT = new Conditions(new Flow.Held(), new Flow.Held());

    /** Connections come about, and everything that is sent over them is lost. */
    public static final Conditions MUTE = new Conditions(new Flow.Lossy(0), new Flow.Lossy(0));

    /** Everything takes that long each way. */
    public static Conditions slow(Duration delay) {
        Flow flow = delay.isZero() ? Flow.FREE : new Flow.Slow(0, delay.toMillis());
        return new Conditions(flow, flow);
    }

    /** How bytes pass in one direction. */
    public sealed interface Flow {

        Flow FREE = new Late(0);

        /** Nothing passes until it is lifted; then what was held back does, as after a partition. */
        record Held() implements Flow {}

        /** Everything passes so many milliseconds later. */
        record Late(long millis) implements Flow {}

        /**
         * Everything passes so many milliseconds later, and of all segments that part has to be sent again, once or several times.
         *
         * @param loss from 0 to 1
         */
        record Slow(double loss, long millis) implements Flow {

            static final Slow NOT = new Slow(0, 0);

            long delayNanos() {
                return TimeUnit.MILLISECONDS.toNanos(millis);
            }
        }

        /** Not more than that passes. */
        record Narrow(int bytesPerSecond) implements Flow {}

        /** So many bytes pass. What comes after on that connection is lost for ever, also when the link is fine again: no stream has a hole. */
        record Lossy(int bytes) implements Flow {}

        /** Each piece passes changed. */
        record Changed(UnaryOperator<byte[]> change) implements Flow {}

        /** So many bytes pass, then both ends see a reset. */
        record Reset(int bytes) implements Flow {}
    }
}
