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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Practises a change of leader once the first election of the process is decided. A change of leader is rare and urgent:
 * unpractised, its code would be interpreted each time and take several times as long as the network does.
 *
 * <p>What is practised is an election in which nothing is at stake. It lives in this process alone; of the store each of its
 * questions asks one that changes nothing there: to give back a lease that nobody holds. With each release comes news, of a kind
 * that means nothing, by way of the store and in the name of an election in which no other node takes part.
 */
final class Rehearsal implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);

    /** A JVM looks at every 128th call of a method whether to compile it, and wants to have seen 200. */
    static final int CHANGES = 650;

    /** The compiler refuses most of what is offered to it in a burst, and an application that has just started needs it, too. */
    static final Duration PAUSE = Duration.ofMillis(10);

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
        play(Election.DEFAULT, 1, null);
    }

    @Override
    public void onElectionCompleted(LeadershipEvent.ElectionCompleted event) {
        if (begun.compareAndSet(false, true)) {
            play(event.election(), CHANGES, store);
        }
    }

    private void play(String name, int changes, @Nullable LeaseStore audience) {
        Timing timing = Timing.defaults();
        Protocol protocol = new Protocol(new Self(name, "rehearsal", "", "rehearsal"), Pace.of(timing));
        LocalElection election =
                new LocalElection(name, timing, protocol, new Stage(audience, clock), loop, clock, Runnable::run);
        election.addListener(new Actor(election, loop, clock, changes));
        election.start();
    }

    /** Gives leadership up whenever it has it. */
    private static final class Actor implements LeadershipListener {

        private static final Abdication AT_ONCE = Abdication.toAnyone().coolingDownFor(Duration.ZERO);

        private final LocalElection election;
        private final Loop loop;
        private final Clock clock;
        private int left;

        private Actor(LocalElection election, Loop loop, Clock clock, int changes) {
            this.election = election;
            this.loop = loop;
            this.clock = clock;
            this.left = changes;
        }

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            loop.alarm(clock.nanos() + PAUSE.toNanos(), this::leave);
        }

        private void leave() {
            CompletionStage<?> unused = left-- > 0 ? election.abdicate(AT_ONCE) : election.stop();
        }

        @Override
        public void onStoreFailed(LeadershipEvent.StoreFailed event) {
            log.debug("The store is away: {} changes of leader remain unpractised", left);
            CompletionStage<?> unused = election.stop();
        }
    }

    /** Grants and takes back whatever it is asked to, as soon as a real store, if there is one, has answered another question. */
    private static final class Stage implements LeaseStore {

        private static final Hint.Message NEWS = new Hint.AbdicationHeard("rehearsal", Duration.ZERO);

        private final @Nullable LeaseStore store;
        private final Clock clock;
        private final String channel = "rehearsal-" + NodeIdentity.random(8);
        private Consumer<Hint> listener = hint -> {};
        private long token = 1;

        private Stage(@Nullable LeaseStore store, Clock clock) {
            this.store = store;
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
            if (store != null) {
                CompletionStage<AnnounceReply> unused = store.announce(channel, NEWS);
            }
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
            return store == null ? () -> {} : store.listen(channel, hintListener);
        }

        private CompletionStage<ReleaseReply> ask(Candidate nobody) {
            return store == null
                    ? CompletableFuture.completedFuture(new ReleaseReply.NotHeld())
                    : store.release(
                            new ReleaseRequest(nobody, null, Duration.ZERO, null, Duration.ZERO, LossReason.STOPPED));
        }
    }
}
