package dev.election.autoconfigure.internal.actuate;

import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.Election;
import dev.election.Elections;
import dev.election.Leadership;
import dev.election.StoreView;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.NotYetCandidate;
import dev.election.jobs.JobRun;
import dev.election.jobs.JobRuns;
import dev.election.members.Members;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The operations of the endpoint {@code leader}, for HTTP and JMX. They wait for the store on the thread of the caller. */
public final class LeaderOperations {

    /** Longer than any request to the store takes that gets a reply. */
    private static final Duration PATIENCE_WITH_STORE = Duration.ofSeconds(5);

    private static final String JOBS = "jobs";

    /** No election has that name. */
    private static final String MEMBERS = "members";

    private final Supplier<NodeView> node;
    private final Elections elections;
    private final ElectionWatch watch;
    private final NotYetCandidate.Source start;
    private final Supplier<Optional<Members>> members;
    private final JobRuns runs;
    private final Duration patience;
    private final Duration longestDrain;
    private final boolean writable;

    /**
     * Creates the operations.
     *
     * @param node says who this node is
     * @param elections the elections of this node
     * @param watch their status
     * @param start tells whether this node takes part yet
     * @param members if this process uses them
     * @param runs of jobs
     * @param patience how long a leader may take to react to a request to abdicate
     * @param longestDrain how long its running work may take after that, unless the request names a time
     * @param writable whether the application allows requests that change something
     */
    public LeaderOperations(
            Supplier<NodeView> node,
            Elections elections,
            ElectionWatch watch,
            NotYetCandidate.Source start,
            Supplier<Optional<Members>> members,
            JobRuns runs,
            Duration patience,
            Duration longestDrain,
            boolean writable) {
        this.node = node;
        this.elections = elections;
        this.watch = watch;
        this.start = start;
        this.members = members;
        this.runs = runs;
        this.patience = patience;
        this.longestDrain = longestDrain;
        this.writable = writable;
    }

    /** All elections, without a request to the store. */
    Answer all() {
        Map<String, Object> views = new LinkedHashMap<>();
        elections.all().forEach(election -> views.put(election.name(), cached(election, null)));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("node", node.get());
        start.get().ifPresent(pending -> body.put("notYetCandidate", pending));
        body.put("elections", views);
        members.get().ifPresent(present -> body.put(MEMBERS, MemberView.all(present)));
        return new Answer(Answer.OK, OperationResponseBody.of(body));
    }

    /** One election, with its state in the store. */
    Answer one(String name) {
        return elections
                .find(name)
                .map(election -> new Answer(Answer.OK, view(election)))
                .orElseGet(() -> unknown(name));
    }

    /** The jobs of one election, which is the only part of it with a path, or one member. */
    Answer part(String name, String part, @Nullable String job) {
        if (name.equals(MEMBERS)) {
            return member(part);
        }
        if (!part.equals(JOBS)) {
            return Answer.error(
                    Answer.NOT_FOUND, "Unknown path '" + part + "' of an election: there is only '" + JOBS + "'");
        }
        if (elections.find(name).isEmpty()) {
            return unknown(name);
        }
        try {
            List<JobRun> found = await(job == null ? runs.of(name) : runs.of(name, job), PATIENCE_WITH_STORE);
            return new Answer(
                    Answer.OK,
                    new JobRunsView(found.stream().map(JobRunView::of).toList()));
        } catch (TimeoutException | ExecutionException | InterruptedException failure) {
            return Answer.error(
                    Answer.UNAVAILABLE,
                    "The runs of the jobs of '" + name + "' can't be read from the store: " + reason(failure));
        }
    }

    private Answer member(String id) {
        return members.get()
                .map(present -> present.find(id)
                        .map(member -> new Answer(Answer.OK, MemberView.of(member)))
                        .orElseGet(() -> Answer.error(Answer.NOT_FOUND, "Unknown member '" + id + "'")))
                .orElseGet(() -> Answer.error(
                        Answer.NOT_FOUND, "This node does not use members: set election.members.enabled=true"));
    }

    /** Requests the leader to abdicate, in the name of that requester. */
    Answer abdicate(String name, AbdicationParameters parameters, String requester) {
        if (!writable) {
            return Answer.error(
                    Answer.METHOD_NOT_ALLOWED,
                    "The endpoint is read-only: set management.endpoint.leader.access=unrestricted to allow this request");
        }
        Election election = elections.find(name).orElse(null);
        if (election == null) {
            return unknown(name);
        }
        AbdicationRequest request;
        try {
            request = parameters.toRequest(patience).by(requester);
        } catch (IllegalArgumentException invalid) {
            return Answer.error(Answer.BAD_REQUEST, String.valueOf(invalid.getMessage()));
        }
        return request(election, request);
    }

    private Answer request(Election election, AbdicationRequest request) {
        Duration drain =
                request.how().drain() == null ? longestDrain : request.how().drain();
        // Longer than all time limits of the request together, which completes by itself.
        Duration longest = request.patience()
                .multipliedBy(4)
                .plus(drain)
                .plus(request.how().reserve())
                .plus(PATIENCE_WITH_STORE);
        try {
            AbdicationReport report = await(election.requestAbdication(request), longest);
            return new Answer(status(report.outcome()), AbdicationView.of(report));
        } catch (TimeoutException | ExecutionException | InterruptedException unknown) {
            return Answer.error(Answer.GATEWAY_TIMEOUT, "The outcome of the request is unknown: " + reason(unknown));
        }
    }

    private static int status(AbdicationOutcome outcome) {
        return switch (outcome) {
            case RELEASED, ENDED_UNCONFIRMED, EVICTED -> Answer.OK;
            case NOT_LEADER, ALREADY_LEADS -> Answer.CONFLICT;
            case STILL_DRAINING -> Answer.ACCEPTED;
            case NO_REACTION -> Answer.GATEWAY_TIMEOUT;
            case STORE_UNAVAILABLE -> Answer.UNAVAILABLE;
            case UNSUPPORTED -> Answer.NOT_IMPLEMENTED;
        };
    }

    private ElectionView view(Election election) {
        StoreView read;
        try {
            read = await(election.lookUp(), PATIENCE_WITH_STORE);
        } catch (TimeoutException | ExecutionException | InterruptedException failure) {
            return cached(election, reason(failure));
        }
        return new ElectionView(
                election.role(),
                LeaderView.of(read.leader().orElse(null), read.leaseRemaining()),
                watch.of(election.name()).lastTransition(),
                election.runningWork(),
                read.leaderships().stream().map(LeadershipView::of).toList(),
                Freshness.read(read.readAt()),
                start.get().orElse(null));
    }

    private ElectionView cached(Election election, @Nullable String problem) {
        Duration remaining = election.leadership().map(Leadership::remaining).orElse(null);
        return new ElectionView(
                election.role(),
                LeaderView.of(election.leader().orElse(null), remaining),
                watch.of(election.name()).lastTransition(),
                election.runningWork(),
                null,
                Freshness.cached(problem),
                start.get().orElse(null));
    }

    private Answer unknown(String name) {
        List<String> known = elections.all().stream().map(Election::name).toList();
        return Answer.unknown(name, known, start.get());
    }

    private static <T> T await(CompletionStage<T> stage, Duration longest)
            throws TimeoutException, ExecutionException, InterruptedException {
        try {
            return stage.toCompletableFuture().get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw interrupted;
        }
    }

    private static String reason(Exception failure) {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getMessage() == null ? "no reply in time" : cause.getMessage();
    }
}
