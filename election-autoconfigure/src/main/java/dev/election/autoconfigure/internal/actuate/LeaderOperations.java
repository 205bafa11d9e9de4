package dev.election.autoconfigure.internal.actuate;

import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.Election;
import dev.election.Elections;
import dev.election.Leader;
import dev.election.StoreView;
import dev.election.autoconfigure.internal.actuate.elections.AbdicationView;
import dev.election.autoconfigure.internal.actuate.elections.ElectionView;
import dev.election.autoconfigure.internal.actuate.elections.ElectionViews;
import dev.election.autoconfigure.internal.actuate.elections.GroupView;
import dev.election.autoconfigure.internal.actuate.elections.JobRequestView;
import dev.election.autoconfigure.internal.actuate.elections.JobRunView;
import dev.election.autoconfigure.internal.actuate.elections.JobRunsView;
import dev.election.autoconfigure.internal.actuate.elections.JobsView;
import dev.election.autoconfigure.internal.actuate.members.MemberState;
import dev.election.autoconfigure.internal.actuate.members.MemberStateView;
import dev.election.autoconfigure.internal.actuate.members.MemberView;
import dev.election.autoconfigure.internal.actuate.parameters.AbdicationParameters;
import dev.election.autoconfigure.internal.actuate.parameters.MemberOrder;
import dev.election.autoconfigure.internal.actuate.parameters.ReadParameters;
import dev.election.autoconfigure.internal.actuate.parameters.Reason;
import dev.election.jobs.JobRun;
import dev.election.jobs.JobRuns;
import dev.election.jobs.requests.JobRequests;
import dev.election.jobs.requests.RunReport;
import dev.election.members.Drain;
import dev.election.members.DrainOutcome;
import dev.election.members.Member;
import dev.election.members.Members;
import dev.election.partitions.PartitionGroup;
import dev.election.support.PartitionName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The operations of the endpoint {@code leader}, for HTTP and JMX. They wait for the store on the thread of the caller. */
public final class LeaderOperations {

    /** Time limit of a request to the store: longer than any that gets a reply. */
    private static final Duration PATIENCE_WITH_STORE = Duration.ofSeconds(5);

    private static final String JOBS = "jobs";

    /** Stands for all elections. No election may have that name. */
    private static final String ALL = "*";

    /** Stands in place of an election in the path of a member. No election may have that name. */
    private static final String MEMBERS = "members";

    private final Elections elections;
    private final ElectionViews views;
    private final NodeKnowledge known;
    private final JobRuns runs;
    private final @Nullable JobRequests requests;
    private final RequestLimits limits;
    private final boolean writable;
    private final RecentReads<StoreView> recentElections = new RecentReads<>();
    private final RecentReads<List<JobRun>> recentRuns = new RecentReads<>();

    /**
     * Creates the operations.
     *
     * @param elections the elections of this node
     * @param known what this node knows beside them
     * @param runs of jobs
     * @param requests to run a job now; {@code null} if nothing runs jobs
     * @param limits of requests to leaders
     * @param writable whether the application allows requests that change something
     */
    public LeaderOperations(
            Elections elections,
            NodeKnowledge known,
            JobRuns runs,
            @Nullable JobRequests requests,
            RequestLimits limits,
            boolean writable) {
        this.elections = elections;
        this.views = new ElectionViews(known.memory());
        this.known = known;
        this.runs = runs;
        this.requests = requests;
        this.limits = limits;
        this.writable = writable;
    }

    /** All elections and groups of partitions, without a request to the store. */
    Answer all() {
        Map<String, ElectionView> all = new LinkedHashMap<>();
        known.memory().single(elections).forEach(election -> all.put(election.name(), views.cached(election, null)));
        return new Answer(Answer.OK, known.overview(writable, views, all));
    }

    /** One election, with its state in the store, or one group of partitions from memory. */
    Answer one(String name, ReadParameters parameters) {
        Optional<PartitionGroup> group = known.memory().groups().get().stream()
                .filter(each -> each.name().equals(name))
                .findAny();
        if (group.isPresent()) {
            return new Answer(Answer.OK, GroupView.of(group.get(), known.memory()));
        }
        Election election = elections.find(name).orElse(null);
        if (election == null) {
            return unknown(name);
        }
        Duration maxAge;
        try {
            maxAge = parameters.age();
        } catch (IllegalArgumentException invalid) {
            return Answer.error(Answer.BAD_REQUEST, String.valueOf(invalid.getMessage()));
        }
        return new Answer(Answer.OK, view(election, maxAge).without(parameters.knownHistory()));
    }

    /** The jobs of one election, which is the only part of it with a path, or of all of them, or one member. */
    Answer part(String name, String part, @Nullable String job, ReadParameters parameters) {
        if (name.equals(MEMBERS)) {
            return member(part);
        }
        if (!part.equals(JOBS)) {
            return Answer.error(
                    Answer.NOT_FOUND, "Unknown path '" + part + "' of an election: there is only '" + JOBS + "'");
        }
        Election election = elections.find(name).orElse(null);
        if (election == null && !name.equals(ALL)) {
            return unknown(name);
        }
        try {
            Duration maxAge = parameters.age();
            if (election == null) {
                return new Answer(Answer.OK, jobs(maxAge));
            }
            List<JobRun> found = await(
                    job == null
                            ? recentRuns.get(name, election.leader(), maxAge, () -> runs.of(name))
                            : runs.of(name, job),
                    PATIENCE_WITH_STORE);
            return new Answer(
                    Answer.OK,
                    new JobRunsView(found.stream().map(JobRunView::of).toList()));
        } catch (IllegalArgumentException invalid) {
            return Answer.error(Answer.BAD_REQUEST, String.valueOf(invalid.getMessage()));
        } catch (TimeoutException | ExecutionException | InterruptedException failure) {
            return Answer.error(
                    Answer.UNAVAILABLE,
                    "The runs of the jobs of '" + name + "' can't be read from the store: " + reason(failure));
        }
    }

    /** The jobs of all elections but partitions, whose runs would be a read of the store each. */
    private JobsView jobs(Duration maxAge) {
        Map<String, CompletionStage<List<JobRun>>> reads = new LinkedHashMap<>();
        known.memory()
                .single(elections)
                .forEach(election -> reads.put(
                        election.name(),
                        recentRuns.get(election.name(), election.leader(), maxAge, () -> runs.of(election.name()))));
        List<JobsView.JobView> jobs = new ArrayList<>();
        Map<String, String> unread = new TreeMap<>();
        long end = System.nanoTime() + PATIENCE_WITH_STORE.toNanos();
        reads.forEach((election, read) -> {
            Map<String, JobRunView> last = new TreeMap<>();
            try {
                Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
                await(read, left).forEach(run -> last.putIfAbsent(run.job(), JobRunView.of(run)));
            } catch (TimeoutException | ExecutionException | InterruptedException failure) {
                unread.put(election, reason(failure));
            }
            Map<String, Optional<Instant>> byHand = requests == null ? Map.of() : requests.jobs(election);
            Stream.concat(last.keySet().stream(), byHand.keySet().stream())
                    .distinct()
                    .map(job -> new JobsView.JobView(
                            job,
                            election,
                            last.get(job),
                            byHand.getOrDefault(job, Optional.empty()).orElse(null),
                            byHand.containsKey(job)))
                    .forEach(jobs::add);
        });
        return new JobsView(jobs, unread);
    }

    private Answer member(String id) {
        return known.memory()
                .members()
                .get()
                .map(present -> present.find(id)
                        .map(member -> new Answer(Answer.OK, MemberView.of(member)))
                        .orElseGet(() -> Answer.error(
                                Answer.NOT_FOUND,
                                "Unknown member '" + id + "'"
                                        + drain(present, id)
                                                .map(drain -> ". An order to drain it is open, given by "
                                                        + drain.requestedBy())
                                                .orElse(""))))
                .orElseGet(LeaderOperations::withoutMembers);
    }

    /**
     * Drains a member, or lets it lead again, in the name of that requester.
     *
     * @param part what is changed, which is "members"
     */
    Answer steer(String part, String id, MemberOrder order, String requester) {
        if (!writable) {
            return readOnly();
        }
        if (!part.equals(MEMBERS)) {
            return Answer.error(
                    Answer.NOT_FOUND, "There is nothing to change below '" + part + "', only below 'members'");
        }
        return known.memory()
                .members()
                .get()
                .map(members -> steer(members, id, order, requester))
                .orElseGet(LeaderOperations::withoutMembers);
    }

    private Answer steer(Members members, String id, MemberOrder order, String requester) {
        Optional<Member> present = members.find(id);
        if (present.filter(member -> member.standing().isEmpty()).isPresent()) {
            return Answer.error(
                    Answer.CONFLICT, "The member '" + id + "' can't be drained: set election.drainable=true on it");
        }
        try {
            MemberState wanted = order.wanted();
            String by = order.by(requester) + " at " + elections.node();
            if (!order.isForAbsentNode()
                    && Leader.isNodeId(id)
                    && present.isEmpty()
                    && drain(members, id).isEmpty()) {
                return Answer.error(Answer.NOT_FOUND, absent(members, id));
            }
            DrainOutcome outcome = await(
                    wanted == MemberState.DRAINED ? members.drain(id, by) : members.activate(id, by),
                    PATIENCE_WITH_STORE.multipliedBy(2));
            return switch (outcome) {
                case STORED ->
                    new Answer(Answer.OK, new MemberStateView(id, wanted, meaning(wanted, present.isPresent())));
                case UNCONFIRMED ->
                    Answer.error(Answer.UNAVAILABLE, "The store has not confirmed the order: look, and repeat it");
                case NOT_A_MEMBER ->
                    Answer.error(Answer.UNAVAILABLE, "This node is no member at present: nothing was sent");
            };
        } catch (IllegalArgumentException invalid) {
            return Answer.error(Answer.BAD_REQUEST, String.valueOf(invalid.getMessage()));
        } catch (TimeoutException | ExecutionException | InterruptedException unknown) {
            return Answer.error(Answer.GATEWAY_TIMEOUT, "The outcome of the order is unknown: " + reason(unknown));
        }
    }

    private static Optional<Drain> drain(Members members, String id) {
        return members.drains().stream()
                .filter(drain -> drain.node().equals(id))
                .findAny();
    }

    private static String absent(Members members, String id) {
        return "This node knows no member '" + id + "', and nothing was changed. Known are: "
                + (members.count() == 0
                        ? "none yet"
                        : members.all().stream().map(Member::id).collect(Collectors.joining(", ")))
                + ". To give the order for a node that is not there, send evenIfAbsent=true";
    }

    private static String meaning(MemberState state, boolean isPresent) {
        if (state == MemberState.ACTIVE) {
            return "It may lead again";
        }
        return isPresent
                ? "It hands over what it leads after its running work, and leads nothing until it is set to active"
                : "No member has this id at present. A node that starts with it within 30 days leads nothing until it is"
                        + " set to active";
    }

    private static Answer readOnly() {
        return Answer.error(
                Answer.METHOD_NOT_ALLOWED,
                "The endpoint is read-only: set management.endpoint.leader.access=unrestricted to allow this request");
    }

    private static Answer withoutMembers() {
        return Answer.error(Answer.NOT_FOUND, "This node does not use members: set election.members.enabled=true");
    }

    /** Requests the leader to abdicate, in the name of that requester. */
    Answer abdicate(String name, AbdicationParameters parameters, String requester) {
        if (!writable) {
            return readOnly();
        }
        Election election = elections.find(name).orElse(null);
        if (election == null) {
            return unknown(name);
        }
        AbdicationRequest request;
        try {
            request = parameters.toRequest(limits.patience(), requester);
        } catch (IllegalArgumentException invalid) {
            return Answer.error(Answer.BAD_REQUEST, String.valueOf(invalid.getMessage()));
        }
        return request(election, request);
    }

    private Answer request(Election election, AbdicationRequest request) {
        Duration drain = request.how().drain() == null
                ? limits.longestDrain()
                : request.how().drain();
        Duration longest = limits.longest(request.patience())
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

    /** Asks the leader to run a job now, in the name of that requester. */
    Answer run(String name, String part, String job, @Nullable String reason, String requester) {
        if (!writable) {
            return readOnly();
        }
        Election election = elections.find(name).orElse(null);
        if (!part.equals(JOBS) || requests == null) {
            return Answer.error(Answer.NOT_FOUND, "There is nothing to run below '" + part + "', only below 'jobs'");
        }
        if (election == null) {
            return unknown(name);
        }
        try {
            Duration longest = limits.longest(limits.patience()).plus(PATIENCE_WITH_STORE);
            RunReport report =
                    await(requests.request(election, job, Reason.of(requester, reason), limits.patience()), longest);
            int status =
                    switch (report.outcome()) {
                        case STARTED -> Answer.ACCEPTED;
                        case REFUSED -> Answer.CONFLICT;
                        case UNKNOWN -> Answer.GATEWAY_TIMEOUT;
                    };
            return new Answer(status, new JobRequestView(report.outcome(), report.detail()));
        } catch (IllegalArgumentException invalid) {
            return Answer.error(Answer.BAD_REQUEST, String.valueOf(invalid.getMessage()));
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

    private ElectionView view(Election election, Duration maxAge) {
        try {
            return views.read(
                    election,
                    await(
                            recentElections.get(election.name(), election.leader(), maxAge, election::lookUp),
                            PATIENCE_WITH_STORE));
        } catch (TimeoutException | ExecutionException | InterruptedException failure) {
            return views.cached(election, reason(failure));
        }
    }

    private Answer unknown(String name) {
        List<String> names = Stream.concat(
                        known.memory().single(elections).stream().map(Election::name),
                        known.memory().groups().get().stream().map(group -> PartitionName.ofAll(group.name())))
                .toList();
        return Answer.unknown(name, names, views.start());
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
