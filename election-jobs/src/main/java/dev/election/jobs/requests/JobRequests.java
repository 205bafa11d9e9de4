package dev.election.jobs.requests;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.Leadership;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.jobs.requests.RunReport.Outcome;
import dev.election.store.LeaseStore;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessage.RunAnswered;
import dev.election.store.NodeMessage.RunRequested;
import dev.election.store.NodeMessaging;
import dev.election.store.StoreEvent;
import dev.election.support.DaemonThreads;
import dev.election.support.OneLine;
import dev.election.support.RandomId;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks leaders to run jobs now, and runs those that this node is asked for. Each request has an id and is for one leadership, whose node
 * runs it once at most: another leadership ignores it, and a message that comes again is answered again.
 */
public final class JobRequests implements AutoCloseable {

    /** Nobody sends a longer id. */
    private static final int LONGEST_ID = 64;

    /** How many answers are kept to be given again. A request is repeated for some seconds. */
    private static final int ANSWERED = 1_000;

    private static final DaemonThreads THREADS = new DaemonThreads("election-job-request");

    private final Supplier<Elections> elections;
    private final Supplier<@Nullable LeaseStore> store;
    private final List<Runner> runners = new CopyOnWriteArrayList<>();
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();

    /** The requests of this node without an answer, by id. */
    private final Map<String, CompletableFuture<RunReport>> open = new ConcurrentHashMap<>();

    /** The requests to this node, by id. Guarded by itself. */
    private final Map<String, CompletionStage<RunReport>> answers = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CompletionStage<RunReport>> eldest) {
            return size() > ANSWERED;
        }
    };

    private volatile boolean hears;

    /** The jobs of a scheduler on this node. */
    public interface Runner {

        /** The names of the jobs of that election that can be run by hand. */
        Set<String> names(String election);

        /** The jobs of that election that can be run by hand, each with the next time of its schedule if that has times. */
        Map<String, Optional<Instant>> jobs(String election);

        /**
         * Runs a job once, on a thread of its own. Returns at once; the stage completes when the job has begun, or is known not to.
         *
         * @param token of the leadership of this node for which it is run, and no other
         * @param requestedBy who asks, and why
         */
        CompletionStage<RunReport> run(String election, String job, FencingToken token, String requestedBy);
    }

    /**
     * Creates the requests, without jobs.
     *
     * @param elections asked for with the first request
     * @param store passes requests on to other nodes; {@code null} if there is none
     */
    public JobRequests(Supplier<Elections> elections, Supplier<@Nullable LeaseStore> store) {
        this.elections = elections;
        this.store = store;
    }

    /** Takes requests from now on for the elections that this node leads. */
    public void hear() {
        // No listener as a bean: an application that has one takes part in an election for it.
        elections.get().addListener(new LeadershipListener() {
            @Override
            public void onAcquired(LeadershipEvent.Acquired event) {
                listen(event.election());
            }
        });
        hears = true;
    }

    /** Adds the jobs of a scheduler. */
    public void add(Runner runner) {
        runners.add(runner);
    }

    /** Removes the jobs of a scheduler. */
    public void remove(Runner runner) {
        runners.remove(runner);
    }

    /** The jobs of that election that this node can run by hand, each with the next time of its schedule if that has times. */
    public Map<String, Optional<Instant>> jobs(String election) {
        Map<String, Optional<Instant>> all = new TreeMap<>();
        runners.forEach(runner -> all.putAll(runner.jobs(election)));
        return all;
    }

    /** Notes that an election has a job which it may not have had before: others may ask for it if this node leads. */
    public void added(String election) {
        if (hears && elections.get().find(election).filter(Election::isLeader).isPresent()) {
            listen(election);
        }
    }

    private void listen(String election) {
        if (!names(election).isEmpty() && messaging().isPresent()) {
            CompletionStage<Void> unused = channel(election).connected;
        }
    }

    /** Listens no more. */
    @Override
    public void close() {
        channels.values().forEach(channel -> channel.subscription.close());
    }

    /**
     * Asks the leader that this node knows to run a job now. The stage completes in any case.
     *
     * @param election in which this node takes part
     * @param requestedBy who asks, and why
     * @param patience how long the leader may take to react
     */
    public CompletionStage<RunReport> request(Election election, String job, String requestedBy, Duration patience) {
        Leader leader = election.leader().orElse(null);
        if (leader == null) {
            return refused("Nobody leads '" + election.name() + "' at present, so nothing was run");
        }
        String at = " at " + elections.get().node();
        String by = OneLine.shown(requestedBy, Abdication.LONGEST_REQUESTER - at.length()) + at;
        if (leads(election, leader.token())) {
            // It may wait for the store before it begins.
            return run(election.name(), job, leader.token(), by)
                    .thenApply(report -> report)
                    .toCompletableFuture()
                    .completeOnTimeout(
                            unknown(leader.node() + " has not begun the job", patience, by),
                            patience.toMillis(),
                            TimeUnit.MILLISECONDS);
        }
        NodeMessaging messaging = messaging().orElse(null);
        if (messaging == null) {
            return refused("The store passes no messages on between nodes, so " + leader.node()
                    + ", which leads, was not asked: ask that node");
        }
        RunRequested message = new RunRequested(RandomId.ofBytes(12), leader.token(), job, by);
        return new Question(election, leader, message, messaging, patience).ask();
    }

    private CompletionStage<RunReport> run(String election, String job, FencingToken token, String requestedBy) {
        return runners.stream()
                .filter(runner -> runner.names(election).contains(job))
                .findFirst()
                .map(runner -> runner.run(election, job, token, requestedBy))
                .orElseGet(() -> refused(elections.get().node()
                        + ", which leads, has no job '" + job
                        + "' that can be run by hand: only @Scheduled methods with @LeaderOnly can, which are "
                        + names(election)));
    }

    private Set<String> names(String election) {
        return runners.stream()
                .flatMap(runner -> runner.names(election).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static RunReport unknown(String what, Duration patience, String requestedBy) {
        return new RunReport(
                Outcome.UNKNOWN,
                what + " within " + ReadableDuration.of(patience)
                        + ". It may have begun: then the runs of the job have one that was requested by '" + requestedBy
                        + "'");
    }

    private static CompletionStage<RunReport> refused(String why) {
        return CompletableFuture.completedFuture(RunReport.refused(why));
    }

    private static boolean leads(Election election, FencingToken token) {
        return election.leadership()
                .map(Leadership::token)
                .filter(token::equals)
                .isPresent();
    }

    private Optional<NodeMessaging> messaging() {
        return Optional.ofNullable(store.get()).flatMap(LeaseStore::messaging);
    }

    private Channel channel(String election) {
        return channels.computeIfAbsent(election, Channel::new);
    }

    /** Serves a request once, and answers it each time. Called on the thread of the store. */
    private void serve(String election, RunRequested asked) {
        Election known = elections.get().find(election).orElse(null);
        if (known == null || !leads(known, asked.token()) || asked.request().length() > LONGEST_ID) {
            return;
        }
        CompletionStage<RunReport> answer;
        synchronized (answers) {
            answer = answers.computeIfAbsent(
                    asked.request(), id -> run(election, asked.job(), asked.token(), asked.requestedBy()));
        }
        CompletionStage<Void> unused = answer.thenAccept(report -> {
            // Who asked knows that without an answer nobody can say whether the job has begun.
            if (report.outcome() != Outcome.UNKNOWN) {
                boolean hasBegun = report.outcome() == Outcome.STARTED;
                messaging()
                        .ifPresent(nodes ->
                                nodes.announce(election, new RunAnswered(asked.request(), hasBegun, report.detail())));
            }
        });
    }

    /** A request to another node. */
    private final class Question {

        private final Election election;
        private final Leader leader;
        private final RunRequested message;
        private final NodeMessaging messaging;
        private final Duration patience;
        private final CompletableFuture<RunReport> answer = new CompletableFuture<>();

        /** Whether the leader may have been asked, or will not be. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private Question(
                Election election, Leader leader, RunRequested message, NodeMessaging messaging, Duration patience) {
            this.election = election;
            this.leader = leader;
            this.message = message;
            this.messaging = messaging;
            Duration delay = Optional.ofNullable(store.get())
                    .map(known -> known.traits().messageDelay())
                    .orElse(Duration.ZERO);
            // Time for the request to reach the leader, and for the answer to reach this node.
            this.patience = patience.plus(delay.multipliedBy(2));
        }

        private CompletionStage<RunReport> ask() {
            open.put(message.request(), answer);
            CompletionStage<Void> unused = channel(election.name()).connected.thenRun(() -> {
                if (decided.compareAndSet(false, true)) {
                    send(patience.dividedBy(4));
                }
            });
            CompletionStage<Void> unusedEnd = new CompletableFuture<Void>()
                    .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
                    .thenRun(() -> answer.complete(late()));
            return answer.whenComplete((report, failure) -> open.remove(message.request()));
        }

        private void send(Duration pause) {
            if (!answer.isDone()) {
                CompletionStage<?> unused = messaging.announce(election.name(), message);
                THREADS.after(pause).execute(() -> send(pause.multipliedBy(2)));
            }
        }

        private RunReport late() {
            if (decided.compareAndSet(false, true)) {
                return RunReport.refused("This node can't hear answers from the store, so nothing was sent");
            }
            boolean leads = election.leader().filter(leader::equals).isPresent();
            return unknown(
                    leader.node() + (leads ? "" : ", which does not lead any more,") + " has not answered",
                    patience,
                    message.requestedBy());
        }
    }

    /** The events of an election that this node hears. */
    private final class Channel implements Consumer<StoreEvent> {

        private final String election;
        private final CompletableFuture<Void> connected = new CompletableFuture<>();
        private final LeaseStore.Subscription subscription;

        private Channel(String election) {
            this.election = election;
            LeaseStore known = store.get();
            this.subscription = known == null ? () -> {} : known.listen(election, this);
        }

        @Override
        public void accept(StoreEvent event) {
            if (event instanceof StoreEvent.Connected) {
                connected.complete(null);
            } else if (event instanceof StoreEvent.Received received) {
                NodeMessage message = received.message();
                if (message instanceof RunRequested asked) {
                    serve(election, asked);
                } else if (message instanceof RunAnswered answered) {
                    CompletableFuture<RunReport> waiting = open.get(answered.request());
                    if (waiting != null) {
                        waiting.complete(new RunReport(
                                answered.hasBegun() ? Outcome.STARTED : Outcome.REFUSED, answered.detail()));
                    }
                }
            }
        }
    }
}
