package dev.election.fencing.internal.transaction;

import dev.election.CurrentWork;
import dev.election.Elections;
import dev.election.FencingToken;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Source of the token of a fenced call. */
public interface TokenSource {

    /**
     * The token under which the calling thread writes.
     *
     * @param resource what it writes
     * @param election the name of the election to which the resource belongs
     * @return empty if the thread has none
     */
    Optional<Held> find(String resource, String election);

    /** The first of these that has one. */
    static TokenSource firstOf(Supplier<? extends Collection<TokenSource>> sources) {
        return (resource, election) -> sources.get().stream()
                .flatMap(source -> source.find(resource, election).stream())
                .findFirst();
    }

    /** The tokens of leader work. Joins no election. */
    static TokenSource ofCurrentWork(Supplier<Elections> elections) {
        return (resource, name) -> elections
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
