package dev.election.engine;

import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.Leader;
import dev.election.lease.Hint;
import dev.election.lease.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests to abdicate that this node passes on right now. Everything happens on the loop. */
final class Petitions implements Petition.Host {

    private final String election;
    private final LeaseStore store;
    private final Loop loop;
    private final Clock clock;
    private final Consumer<Hint> own;
    private final Audience audience;
    private final List<Petition> open = new ArrayList<>();

    /**
     * @param own lets this node hear something, as if it had come from the store
     */
    Petitions(String election, LeaseStore store, Loop loop, Clock clock, Consumer<Hint> own, Audience audience) {
        this.election = election;
        this.store = store;
        this.loop = loop;
        this.clock = clock;
        this.own = own;
        this.audience = audience;
    }

    /**
     * @param known who leads, as far as this node knew when it was asked
     */
    void begin(AbdicationRequest request, @Nullable Leader known, CompletableFuture<AbdicationReport> report) {
        Petition petition = new Petition(request, known, election, this, store, loop, clock, report);
        open.add(petition);
        petition.start();
    }

    void hearAll(Hint hint) {
        List.copyOf(open).forEach(petition -> petition.hear(hint));
    }

    /** This node knows who leads, or that nobody does. */
    void see(@Nullable Leader leader) {
        if (leader != null && !open.isEmpty()) {
            List.copyOf(open).forEach(petition -> petition.see(leader));
        }
    }

    @Override
    public void hear(Hint hint) {
        own.accept(hint);
    }

    /** What whoever asked does next must not hold the election up. */
    @Override
    public void done(Petition petition, Runnable reporting) {
        open.remove(petition);
        audience.elsewhere(reporting);
    }
}
