package dev.election.record;

import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A record store without a clock over a server that sends events: it asks on two connections, gathers requests, and passes on each text that its
 * watch shows.
 *
 * @param <C> the connection
 * @param <R> a request that can be gathered
 * @param <A> the answer to it
 */
public abstract class WatchedRecordStore<C extends KeptConnections.Connection, R, A>
        implements RecordStore, AutoCloseable {

    /** With two, one slow reply does not hold up all requests. */
    private static final int CONNECTIONS = 2;

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** How long a leader needs to hear that its text was made anew, and to renew. */
    private static final Duration COMEBACK = Duration.ofSeconds(2);

    private final StoreTraits traits;
    private final KeptConnections<C> connections;
    private final GatheredRequests<C, R, A> requests;
    private final RecordWatch<C> watch;

    /**
     * Creates the store, which connects to nothing yet.
     *
     * @param name the name of the store, for people; the threads are called after it
     * @param separatedBy the setting that separates the elections of applications, for messages
     * @param shortestLease the shortest lease of the elections: a third of it is the time limit for an answer, within bounds
     * @param proof the proof of the connections
     * @param kind the kind of connections
     * @param source the events of the store
     */
    protected WatchedRecordStore(
            String name,
            String separatedBy,
            Duration shortestLease,
            ConnectionProof proof,
            KeptConnections.Kind<C> kind,
            RecordWatch.Source<C> source) {
        String thread = "election-" + name.toLowerCase(Locale.ROOT);
        this.traits = new StoreTraits(
                name,
                separatedBy,
                Duration.ofMillis(1),
                SHORTEST_LEASE,
                TIMEOUT,
                COMEBACK,
                shortestLease.plus(TIMEOUT));
        this.connections = new KeptConnections<>(thread, CONNECTIONS, KeptConnections.limit(shortestLease), kind);
        this.requests = new GatheredRequests<>(connections, this::carry, this::fits, this::failed);
        this.watch = new RecordWatch<>(thread + "-watch", shortestLease, kind, source);
        proof.whenReplaced(watch::replaced);
    }

    /** Carries out requests, and returns the answers in their order. An exception is the answer to all. */
    protected abstract List<A> carry(C connection, List<R> some) throws Exception;

    /** Whether one more request can be carried out at once with those. */
    protected boolean fits(List<R> some, R next) {
        return true;
    }

    /** Makes the answer to a request that has failed. */
    protected abstract A failed(NoAnswer why);

    /** Runs a request together with others. */
    protected final CompletionStage<A> gather(R request) {
        return requests.ask(request);
    }

    /** Runs a request. A failure becomes an answer, too. */
    protected final <T> CompletionStage<T> ask(KeptConnections.Question<C, T> question, Function<NoAnswer, T> failed) {
        return connections.ask(question, failed);
    }

    /** Notes the version of a text in a reply, which rises with each write of the store. */
    protected final void noticed(String key, long version) {
        watch.noticed(key, version);
    }

    @Override
    public final StoreTraits traits() {
        return traits;
    }

    @Override
    public final boolean hearsAtOnce() {
        return watch.isListening();
    }

    @Override
    public final void together(Runnable calls) {
        requests.together(calls);
    }

    @Override
    public final LeaseStore.Subscription watch(String key, Consumer<Change> listener) {
        return watch.add(key, listener);
    }

    @Override
    public void close() {
        watch.close();
        connections.close();
    }
}
