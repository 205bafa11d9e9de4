package dev.election.engine;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.Elections;
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

    /** At least this between two: a compiler puts off most of what is offered to it in a burst. */
    static final Duration PAUSE = Duration.ofMillis(2);

    /** A rest lasts so many times as long as the change before it, so that a store or a processor that is busy is left alone. */
    static final int REST = 2;

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private final LeaseStore store;
    private final Loop loop;
    private final Clock clock;
    private final AtomicBoolean begun;

    private volatile @Nullable Elections audience;
    private volatile @Nullable News news;

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

    /** Waits until one of them is decided. */
    void attend(Elections elections) {
        audience = elections;
        elections.addListener(this);
    }

    @Override
    public void onElectionCompleted(LeadershipEvent.ElectionCompleted event) {
        Elections attended = audience;
        if (attended != null) {
            // A listener costs a thread's waking at each change of leader.
            attended.removeListener(this);
        }
        if (begun.compareAndSet(false, true)) {
            play(event.election(), CHANGES, store);
        }
    }

    /** Leaves nothing behind in a store that others may go on to use. */
    void end() {
        News told = news;
        if (told != null) {
            told.close();
        }
    }

    private void play(String name, int changes, @Nullable LeaseStore real) {
        Timing timing = Timing.defaults();
        Protocol protocol = new Protocol(new Self(name, "rehearsal", "", "rehearsal"), Pace.of(timing));
        Stage stage = new Stage(real, clock);
        LocalElection election = new LocalElection(name, timing, protocol, stage, loop, clock, Runnable::run);
        news = stage.news;
        Consumer<Runnable> rests = real == null ? Runnable::run : new Rests(loop, clock);
        election.addListener(new Actor(election, rests, changes));
        election.start();
    }

    /** The pauses between two changes. */
    private static final class Rests implements Consumer<Runnable> {

        private final Loop loop;
        private final Clock clock;
        private volatile long begun;

        private Rests(Loop loop, Clock clock) {
            this.loop = loop;
            this.clock = clock;
            this.begun = clock.nanos();
        }

        @Override
        public void accept(Runnable next) {
            long now = clock.nanos();
            loop.alarm(now + Math.max(PAUSE.toNanos(), REST * (now - begun)), () -> {
                begun = clock.nanos();
                next.run();
            });
        }
    }

    /** Gives leadership up whenever it has it. */
    private static final class Actor implements LeadershipListener {

        private static final Abdication AT_ONCE = Abdication.toAnyone().coolingDownFor(Duration.ZERO);

        private final LocalElection election;
        private final Consumer<Runnable> rests;
        private int left;

        /**
         * @param rests does something after a rest
         */
        private Actor(LocalElection election, Consumer<Runnable> rests, int changes) {
            this.election = election;
            this.rests = rests;
            this.left = changes;
        }

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            rests.accept(this::leave);
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

    /** News that means nothing, for as long as the store lets any through. */
    private static final class News {

        private static final Hint.Message MESSAGE = new Hint.AbdicationHeard("rehearsal", Duration.ZERO);

        private final LeaseStore store;
        private final String channel = "rehearsal-" + NodeIdentity.random(8);
        private LeaseStore.@Nullable Subscription subscription;
        private boolean over;

        private News(LeaseStore store) {
            this.store = store;
        }

        synchronized void send() {
            if (!over) {
                Contest.<AnnounceReply>ask(() -> store.announce(channel, MESSAGE), noAnswer -> noAnswer)
                        .thenAccept(this::sent);
            }
        }

        /** Whoever may not tell is not allowed to listen either, and need not be told so. */
        private synchronized void sent(AnnounceReply reply) {
            if (reply instanceof NoAnswer) {
                close();
            } else if (!over && subscription == null) {
                subscription = store.listen(channel, hint -> {});
            }
        }

        synchronized void close() {
            over = true;
            if (subscription != null) {
                subscription.close();
                subscription = null;
            }
        }
    }

    /** Grants and takes back whatever it is asked to, as soon as a real store, if there is one, has answered another question. */
    private static final class Stage implements LeaseStore {

        private final @Nullable LeaseStore store;
        private final @Nullable News news;
        private final Clock clock;
        private Consumer<Hint> listener = hint -> {};
        private long token = 1;

        private Stage(@Nullable LeaseStore store, Clock clock) {
            this.store = store;
            this.news = store == null ? null : new News(store);
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
            if (news != null) {
                news.send();
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
            return news == null ? () -> {} : news::close;
        }

        private CompletionStage<ReleaseReply> ask(Candidate nobody) {
            return store == null
                    ? CompletableFuture.completedFuture(new ReleaseReply.NotHeld())
                    : store.release(
                            new ReleaseRequest(nobody, null, Duration.ZERO, null, Duration.ZERO, LossReason.STOPPED));
        }
    }
}
