package dev.election.faults.world;

/**
 * What a link does with bytes.
 *
 * @param requests on their way to Redis
 * @param replies on their way back
 */
public record Conditions(Flow requests, Flow replies) {

    public static final Conditions FINE = new Conditions(Flow.FREE, Flow.FREE);
    public static final Conditions CUT = new Conditions(new Flow.Held(), new Flow.Held());

    /** What happens in one direction. */
    public sealed interface Flow {

        Flow FREE = new Late(0);

        /** Nothing passes until it is lifted; then what was held back does, as after a partition. */
        record Held() implements Flow {}

        /** Everything passes so many milliseconds later. */
        record Late(long millis) implements Flow {}

        /** Not more than that passes. */
        record Narrow(int bytesPerSecond) implements Flow {}

        /** So many bytes pass, and what comes after is lost for ever. */
        record Lossy(int bytes) implements Flow {}

        /** So many bytes pass, then both ends see a reset. */
        record Reset(int bytes) implements Flow {}
    }
}
