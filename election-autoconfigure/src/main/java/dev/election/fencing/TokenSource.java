package dev.election.fencing;

import dev.election.CurrentWork;
import dev.election.Elections;
import dev.election.FencingToken;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Where the token of a fenced call comes from. */
public interface TokenSource {

    /**
     * The token under which the calling thread writes.
     *
     * @param election the name of the election
     * @return empty if the thread has none of that election
     */
    Optional<Held> find(String election);

    /** The tokens of leader work. Joins no election. */
    static TokenSource ofCurrentWork(Supplier<Elections> elections) {
        return name -> elections
                .get()
                .find(name)
                .flatMap(CurrentWork.get()::work)
                .map(work -> new Held(work.token(), work::isCurrent));
    }

    /**
     * A token of a thread.
     *
     * @param token the token
     * @param current whether the leadership of the token still holds, as far as this process knows
     */
    record Held(FencingToken token, BooleanSupplier current) {

        boolean isCurrent() {
            return current.getAsBoolean();
        }
    }
}
