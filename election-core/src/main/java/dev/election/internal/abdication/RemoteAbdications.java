package dev.election.internal.abdication;

import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.threads.ListenerDispatcher;
import dev.election.store.StoreEvent;
import dev.election.support.ReadableDuration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open requests of this node to other leaders to abdicate. Used on the loop only. */
public final class RemoteAbdications {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    final String election;
    final EngineContext context;

    /** Whether this node leads under that token, or is about to release that lease. */
    final Predicate<FencingToken> isOwn;

    /** Passes this node an event as if it had come from the store. */
    final Consumer<StoreEvent> ownNode;

    private final ListenerDispatcher dispatcher;
    private final List<RemoteAbdication> open = new ArrayList<>();

    /** Creates the requests of an election; see the fields. */
    public RemoteAbdications(
            String election,
            EngineContext context,
            Predicate<FencingToken> isOwn,
            Consumer<StoreEvent> ownNode,
            ListenerDispatcher dispatcher) {
        this.election = election;
        this.context = context;
        this.isOwn = isOwn;
        this.ownNode = ownNode;
        this.dispatcher = dispatcher;
    }

    /**
     * Sends a request to the leader.
     *
     * @param known the leader that this node knows of
     */
    public void begin(AbdicationRequest request, @Nullable Leader known, CompletableFuture<AbdicationReport> report) {
        RemoteAbdication abdication = new RemoteAbdication(request, known, this, report);
        open.add(abdication);
        dispatcher.elsewhere(() -> log.info(
                "Request to the leader of the election '{}' to abdicate{}, requested by {}",
                election,
                request.force() ? ", by force if it does not react" : "",
                request.how().requestedBy()));
        abdication.start();
    }

    public void hearAll(StoreEvent event) {
        List.copyOf(open).forEach(abdication -> abdication.hear(event));
    }

    /** Takes the leader that this node knows of now, {@code null} if none. */
    public void see(@Nullable Leader leader) {
        if (leader != null && !open.isEmpty()) {
            List.copyOf(open).forEach(abdication -> abdication.see(leader));
        }
    }

    /** Ends a request. Reports on another thread: neither the caller nor an appender of the log must delay the election. */
    void done(RemoteAbdication abdication, AbdicationReport report, CompletableFuture<AbdicationReport> caller) {
        open.remove(abdication);
        dispatcher.elsewhere(() -> {
            log.info(
                    "Request to the leader of the election '{}' to abdicate has ended after {}: {} ({})",
                    election,
                    ReadableDuration.of(report.took()),
                    report.outcome(),
                    report.detail());
            caller.complete(report);
        });
    }
}
