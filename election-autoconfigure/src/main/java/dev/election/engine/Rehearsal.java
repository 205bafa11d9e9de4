package dev.election.engine;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.StoreProblem;
import dev.election.lease.AnnounceReply;
import dev.election.lease.CampaignReply;
import dev.election.lease.CampaignRequest;
import dev.election.lease.Candidate;
import dev.election.lease.EvictReply;
import dev.election.lease.EvictRequest;
import dev.election.lease.Hint;
import dev.election.lease.LeaseStore;
import dev.election.lease.NoAnswer;
import dev.election.lease.ReadReply;
import dev.election.lease.ReleaseReply;
import dev.election.lease.ReleaseRequest;
import dev.election.lease.RenewReply;
import dev.election.lease.RenewRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Practises a change of leader once the first election of the process is decided. A change of leader is rare and urgent:
 * unpractised, its code would be interpreted each time and take several times as long as the network does.
 *
 * <p>What is practised is an election in which nothing is at stake. It lives in this process alone; of the store each of its
 * questions asks one that changes nothing there: to give back a lease that nobody holds.
 */
final class Rehearsal implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);

    /** Enough for the compiler of a JVM to have noticed the code; takes a fraction of a second. */
    static final int CHANGES = 500;

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private final LeaseStore store;
    private final Loop loop;
    private final Clock clock;
    private final AtomicBoolean begun;

    /** @param begun whether another has practised already, or is at it */
    Rehearsal(LeaseStore store, Loop loop, Clock clock, AtomicBoolean begun) {
        this.store = store;
        this.loop = loop;
        this.clock = clock;
        this.begun = begun;
    }

    /** What one engine has practised, all others of the process know. */
    static Rehearsal oncePerProcess(LeaseStore store, Loop loop, Clock clock) {
        return new Rehearsal(store, loop, clock, BEGUN);
    }

    /** Plays one change without any store, so that what the first election needs is loaded by then. */
    void readThrough() {
        play(Election.DEFAULT, 1, question -> CompletableFuture.completedFuture(new ReleaseReply.NotHeld()));
    }

    @Override
    public void onElectionCompleted(LeadershipEvent.ElectionCompleted event) {
        if (begun.compareAndSet(false, true)) {
            play(event.election(), CHANGES, store::release);
        }
    }

    private void play(String name, int changes, Function<ReleaseRequest, CompletionStage<ReleaseReply>> question) {
        Timing timing = Timing.defaults();
        Protocol protocol = new Protocol(new Self(name, "rehearsal", "", "rehearsal"), Pace.of(timing));
        LocalElection election =
                new LocalElection(name, timing, protocol, new Stage(question, clock), loop, clock, Runnable::run);
        election.addListener(new Actor(election, changes));
        election.start();
    }

    /** Gives leadership up whenever it has it. */
    private static final class Actor implements LeadershipListener {

        private static final Abdication AT_ONCE = Abdication.toAnyone().coolingDownFor(Duration.ZERO);

        private final LocalElection election;
        private int left;

        private Actor(LocalElection election, int changes) {
            this.election = election;
            this.left = changes;
        }

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            CompletionStage<?> unused = left-- > 0 ? election.abdicate(AT_ONCE) : election.stop();
        }

        @Override
        public void onStoreFailed(LeadershipEvent.StoreFailed event) {
            log.debug("The store is away: {} changes of leader remain unpractised", left);
            CompletionStage<?> unused = election.stop();
        }
    }

    /** Grants and takes back whatever it is asked to, as soon as another question has been answered. */
    private static final class Stage implements LeaseStore {

        private final Function<ReleaseRequest, CompletionStage<ReleaseReply>> question;
        private final Clock clock;
        private Consumer<Hint> listener = hint -> {};
        private long token = 1;

        private Stage(Function<ReleaseRequest, CompletionStage<ReleaseReply>> question, Clock clock) {
            this.question = question;
            this.clock = clock;
        }

        @Override
        public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
            return ask(request.candidate()).thenApply(reply -> {
                if (reply instanceof NoAnswer failure) {
                    return failure;
                }
                Instant now = clock.wall();
                return new CampaignReply.Granted(new FencingToken(++token), now, now.plus(request.lease()));
            });
        }

        @Override
        public CompletionStage<RenewReply> renew(RenewRequest request) {
            return ask(request.candidate())
                    .thenApply(reply ->
                            reply instanceof NoAnswer failure ? failure : new RenewReply.Renewed(clock.wall()));
        }

        @Override
        public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
            listener.accept(new Hint.Released(new FencingToken(token), null, Duration.ZERO));
            return ask(request.candidate());
        }

        @Override
        public CompletionStage<EvictReply> evict(EvictRequest request) {
            return CompletableFuture.completedFuture(new EvictReply.NotHeld());
        }

        @Override
        public CompletionStage<ReadReply> read(String election) {
            return CompletableFuture.completedFuture(new NoAnswer(StoreProblem.UNKNOWN, "nothing is at stake"));
        }

        @Override
        public CompletionStage<AnnounceReply> announce(String election, Hint.Message message) {
            return CompletableFuture.completedFuture(new AnnounceReply.Announced());
        }

        @Override
        public Subscription listen(String election, Consumer<Hint> hintListener) {
            listener = hintListener;
            return () -> {};
        }

        private CompletionStage<ReleaseReply> ask(Candidate nobody) {
            return question.apply(
                    new ReleaseRequest(nobody, null, Duration.ZERO, null, Duration.ZERO, LossReason.STOPPED));
        }
    }
}
