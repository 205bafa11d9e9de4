package dev.election.record;

import dev.election.FencingToken;
import dev.election.record.Continuity.Line;
import dev.election.record.ElectionRecord.Epoch;
import dev.election.record.ObservedStore.Observation;
import dev.election.record.ObservedStore.Sending;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.record.SharedText.Step;
import dev.election.record.StoredElection.Ends;
import dev.election.record.StoredElection.News;
import dev.election.store.Candidate;
import dev.election.store.EventText;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreMoment;
import dev.election.support.RandomId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One election in a {@link RecordStore}, as one process sees it. */
final class RecordedElection {

    private final RecordStore store;
    private final String key;
    private final ObservedStore observed;
    private final LongSupplier wall;
    private final SharedText<StoredElection> text;
    private final ObservedClock clock = new ObservedClock();
    private final RecordNews news = new RecordNews();

    /** The last look at all servers of the store before a grant. Guarded by this. */
    private @Nullable Look look;

    /** The last lease that this process was granted, by its own clock. */
    private volatile @Nullable OwnLease own;

    RecordedElection(RecordStore store, String key, ObservedStore observed, LongSupplier wall) {
        this.store = store;
        this.key = key;
        this.text = new SharedText<>(store, key, RecordText::read, observed);
        this.observed = observed;
        this.wall = wall;
    }

    /**
     * The time at which a request is decided.
     *
     * @param store the store and its time, or the time of this node where it has no clock
     * @param nanos the monotonic time of this process
     * @param isObserved whether the store has no clock
     * @param seen the store, as this process has seen it
     */
    record Moment(StoreMoment store, long nanos, boolean isObserved, Observation seen) {}

    /**
     * The outcome of a request.
     *
     * @param reply the reply to it
     * @param decided when it was decided
     */
    record Change<R>(R reply, Moment decided) {

        long decidedAt() {
            return decided.nanos();
        }
    }

    /** One look at all servers of the store, for a grant that follows the lease with that token and end. */
    private static final class Look {

        private final long token;
        private final long ends;
        private final long begunAt;

        /** The clock of this process when it was over, {@code null} before that. */
        private volatile @Nullable Long overAt;

        Look(@Nullable Epoch epoch, long begunAt) {
            this.token = epoch == null ? 0 : epoch.token();
            this.ends = epoch == null ? 0 : epoch.ends();
            this.begunAt = begunAt;
        }

        /** Whether it was begun after that lease, and not longer ago than a lease lasts. */
        boolean holds(Look present, Duration lease) {
            return token == present.token && ends == present.ends && present.begunAt - begunAt < lease.toNanos();
        }

        /** Whether what it has found was known when that request was sent. */
        boolean isKnownTo(Moment moment) {
            Long over = overAt;
            return over != null && moment.seen().sentAt() - over >= 0;
        }
    }

    private record OwnLease(String candidacy, FencingToken token, long endsAt) {}

    /** Reads the record, decides, and writes what has changed. Fails with a {@link NoAnswerException}. */
    <R> CompletionStage<Change<R>> change(BiFunction<ElectionRecord, Moment, Decision<R>> rules) {
        return text.change((before, time, seen) -> decide(rules, before, moment(time, seen)));
    }

    /**
     * Does the same without reading the record first, where the text that is known is enough for the reply.
     *
     * @param enough says so, of the reply and whether it comes with a write
     */
    <R> CompletionStage<Change<R>> changeKnown(
            BiFunction<ElectionRecord, Moment, Decision<R>> rules, BiPredicate<R, Boolean> enough) {
        return text.change(
                (before, time, seen) -> decide(rules, before, moment(time, seen), enough),
                (before, time, seen) -> decide(rules, before, moment(time, seen)));
    }

    /**
     * Whether all servers of the store were looked at between the end of the last lease and the request that would be granted the next one.
     * Begins such a look if not. A store that reaches one server has nothing to look at.
     */
    synchronized boolean isCompared(ElectionRecord record, Moment moment, Duration lease) {
        Look next = new Look(record.epoch(), moment.nanos());
        if (look != null && look.holds(next, lease)) {
            return look.isKnownTo(moment);
        }
        CompletableFuture<List<Line>> found =
                NoAnswerException.asked(store::look).toCompletableFuture();
        if (found.isDone() && !found.isCompletedExceptionally() && found.join().isEmpty()) {
            return true;
        }
        look = next;
        CompletionStage<Void> unused = found.handle((lines, failure) -> {
            if (lines != null) {
                lines.forEach(observed::reach);
            }
            next.overAt = observed.nanos();
            return null;
        });
        return false;
    }

    Subscription listen(Consumer<StoreEvent> listener) {
        Runnable leave = news.add(listener);
        AtomicBoolean connected = new AtomicBoolean();
        Runnable look = () -> {
            // News from before the first answer counts as known.
            CompletionStage<Void> unused = look().thenAccept(isAnswered -> {
                if (isAnswered && connected.compareAndSet(false, true)) {
                    news.open(listener);
                    listener.accept(new StoreEvent.Connected());
                }
            });
        };
        Subscription watch = store.watch(key, change -> {
            if (change == RecordStore.Change.CONNECTION && connected.get()) {
                listener.accept(StoreEvent.Connected.anew(observed.nanos()));
            }
            Read read = change instanceof RecordStore.Change.Text changed ? changed.read() : null;
            if (read != null && connected.get()) {
                text.know(read);
                hear(read);
            } else {
                look.run();
            }
        });
        look.run();
        return () -> {
            watch.close();
            leave.run();
        };
    }

    /** Notes until when a granted or renewed lease lasts by the clock of this process, whatever becomes of the record. */
    synchronized void noteLease(Candidate candidate, FencingToken token, Duration length, long decidedAt) {
        OwnLease next = new OwnLease(candidate.candidacy(), token, decidedAt + length.toNanos());
        OwnLease known = own;
        if (known == null || next.endsAt - known.endsAt >= 0) {
            own = next;
        }
    }

    /**
     * Returns a request with the end of the lease in the time of the present record. Where that time is observed, a record that was lost and
     * made again may count from anywhere, so that only the own clock tells whether the lease has ended.
     */
    RenewRequest inItsTime(RenewRequest request, Moment moment) {
        return !moment.isObserved()
                ? request
                : new RenewRequest(
                        request.candidate(),
                        request.token(),
                        request.since(),
                        expiry(request.candidate(), request.token(), moment),
                        request.lease());
    }

    ReleaseRequest inItsTime(ReleaseRequest request, Moment moment) {
        ReleaseRequest.Grant grant = request.grant();
        return grant == null || !moment.isObserved()
                ? request
                : new ReleaseRequest(
                        request.candidate(),
                        new ReleaseRequest.Grant(grant.token(), expiry(request.candidate(), grant.token(), moment)),
                        request.lease(),
                        request.how(),
                        request.reason());
    }

    private Instant expiry(Candidate candidate, FencingToken token, Moment moment) {
        OwnLease lease = own;
        long left = 0;
        if (lease != null && lease.candidacy.equals(candidate.candidacy()) && lease.token.equals(token)) {
            left = Math.floorDiv(lease.endsAt - moment.nanos(), 1_000_000L);
        }
        return Instant.ofEpochMilli(moment.store().millis() + Math.max(0, left));
    }

    private <R> Step<Change<R>> decide(
            BiFunction<ElectionRecord, Moment, Decision<R>> rules, @Nullable StoredElection before, Moment moment) {
        return decide(rules, before, moment, (reply, isWritten) -> true);
    }

    private <R> Step<Change<R>> decide(
            BiFunction<ElectionRecord, Moment, Decision<R>> rules,
            @Nullable StoredElection before,
            Moment moment,
            BiPredicate<R, Boolean> enough) {
        ElectionRecord record = observe(before, moment);
        List<News> told = before == null ? List.of() : before.news();
        news.hear(
                told,
                moment.isObserved() ? null : Instant.ofEpochMilli(moment.store().millis()));
        Decision<R> decision = rules.apply(record, moment);
        Change<R> change = new Change<>(decision.reply(), moment);
        boolean isWorthWriting = !decision.set().isEmpty()
                || !decision.events().isEmpty()
                || decision.record().isWorthWriting(record, moment.store().millis());
        if (!enough.test(decision.reply(), isWorthWriting)) {
            return new Step.Read<>();
        }
        if (!isWorthWriting) {
            return new Step.Answer<>(change);
        }
        long now = moment.store().millis();
        String write = id();
        if (before == null) {
            // However late it is made, perhaps after another one was deleted, an empty record says as little as none:
            // what was decided on nothing, a lock delay for one, would be over by then.
            StoredElection empty = new StoredElection(write, now, Ends.NONE, ElectionRecord.EMPTY, List.of());
            return new Step.Write<>(RecordText.write(empty), null);
        }
        List<News> added = decision.events().stream()
                .map(event -> new News(id(), now, EventText.write(event)))
                .toList();
        Ends ends = before.ends().after(decision, write);
        StoredElection after =
                new StoredElection(write, now, ends, decision.record(), StoredElection.keep(told, added, now));
        return new Step.Write<>(RecordText.write(after), () -> {
            clock.wrote(write, ends, moment.nanos());
            news.hear(after.news(), null);
            return change;
        });
    }

    /** Reads the record for its news, and returns whether the store answered. */
    private CompletionStage<Boolean> look() {
        Sending sent = observed.sending();
        return NoAnswerException.asked(() -> store.read(key)).handle((outcome, failure) -> {
            if (!(outcome instanceof Read read)) {
                return false;
            }
            observed.see(read.origin().continuity(), sent);
            hear(read);
            return true;
        });
    }

    private void hear(Read read) {
        Stored stored = read.stored();
        if (stored == null) {
            return;
        }
        try {
            StoredElection seen = RecordText.read(stored.text());
            clock.see(seen.ends(), observed.nanos());
            news.hear(seen.news(), read.origin().clock());
        } catch (NewerFormatException | IllegalArgumentException unreadable) {
            // The next request fails and says so.
        }
    }

    private Moment moment(@Nullable Instant time, Observation seen) {
        long millis = time == null ? wall.getAsLong() : time.toEpochMilli();
        return new Moment(new StoreMoment(millis, seen.incarnation()), observed.nanos(), time == null, seen);
    }

    private ElectionRecord observe(@Nullable StoredElection seen, Moment moment) {
        if (seen == null) {
            clock.see(Ends.NONE, moment.nanos());
            return ElectionRecord.EMPTY;
        }
        return moment.isObserved() ? clock.observe(seen, moment.store().millis(), moment.nanos()) : seen.record();
    }

    private static String id() {
        return RandomId.ofBytes(16);
    }
}
