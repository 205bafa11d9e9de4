package dev.election.record;

import dev.election.StoreProblem;
import dev.election.members.LeaveReason;
import dev.election.record.ObservedStore.Sending;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.record.RecordStore.ReplaceOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.LeaveReply;
import dev.election.store.MemberEntry;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.NoAnswer;
import dev.election.store.RosterVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The members in a {@link RecordStore}, each under a key of its own. A beat reads all of them and writes one, so this is for a few dozen. In a
 * store without a clock a member expires once this process has seen the same beat for as long as a beat lasts.
 */
final class RecordMembers implements MemberStore {

    private static final int MOST = 50;

    /** The limit of attempts to change a key: apart from its process, only those that find it overdue change it. */
    private static final int ATTEMPTS = 3;

    private final RecordStore store;
    private final String prefix;
    private final ObservedStore observed;
    private final LongSupplier wall;
    private final @Nullable MemberMessaging messaging;

    /** The id of the node as which this process campaigns, {@code null} before it has. */
    private volatile @Nullable String node;

    /** The latest beat of each member, by key. Guarded by this. */
    private final Map<String, Sight> sights = new HashMap<>();

    /** The instances that were gone at the latest look: an earlier request may have read them before that. Guarded by this. */
    private final Set<String> gone = new HashSet<>();

    /** The time at which the store answered the read of the latest look, on the monotonic clock. Guarded by this. */
    private @Nullable Long lookedAt;

    /** The time at which the store was read for the latest look, by its clock. Guarded by this. */
    private @Nullable Instant lookedClock;

    /** The incarnation of the store at the latest look. Guarded by this. */
    private String roster = "";

    RecordMembers(
            RecordStore store,
            String prefix,
            ObservedStore observed,
            LongSupplier wall,
            @Nullable MemberMessaging messaging) {
        this.messaging = messaging;
        this.store = store;
        this.prefix = prefix;
        this.observed = observed;
        this.wall = wall;
    }

    /**
     * A beat as it was first seen.
     *
     * @param stored the text of the key
     * @param member the member that it describes
     * @param since when it was first seen, on the monotonic clock of this process
     */
    private record Sight(Stored stored, RecordedMember member, long since) {

        /** Whether a request of that time still found this beat, although another one should have followed it by then. */
        boolean isOverdue(@Nullable Instant clock, long askedAt) {
            return member.isOverdue(clock, Duration.ofNanos(askedAt - since));
        }
    }

    @Override
    public Optional<MemberMessaging> messaging() {
        return Optional.ofNullable(messaging);
    }

    /** Notes that this process campaigns as that node. */
    void campaignsAs(String id) {
        node = id;
    }

    /** Whether a member has said with its latest beat that this node is notified of changes at once. */
    synchronized boolean hearsAtOnce(String id) {
        return sights.values().stream()
                .anyMatch(sight -> id.equals(sight.member().listener()));
    }

    @Override
    public CompletionStage<BeatReply> beat(BeatRequest request) {
        Sending sent = observed.sending();
        return NoAnswerException.asked(() -> store.readAll(prefix))
                .thenCompose(outcome -> outcome instanceof ReadAll all
                        ? orReplaced(all.origin(), sent, () -> beat(request, all, sent.at(), observed.nanos()))
                        : failed(((Failed) outcome).answer()))
                .exceptionally(NoAnswerException::reply);
    }

    /** Writes the beat. The store had answered the read at {@code answeredAt}, which may be long before it answers the write. */
    private CompletionStage<BeatReply> beat(BeatRequest request, ReadAll all, long askedAt, long answeredAt) {
        return write(request, all.origin().clock(), all.stored().get(key(request)), ATTEMPTS)
                .thenApply(own -> reply(request, all, own, askedAt, answeredAt));
    }

    private CompletionStage<RecordedMember> write(
            BeatRequest request, @Nullable Instant clock, @Nullable Stored own, int attempts) {
        RecordedMember next = next(request, clock, own);
        Sending sent = observed.sending();
        return NoAnswerException.asked(() -> store.replace(key(request), own, next.write()))
                .thenCompose(outcome -> {
                    if (outcome instanceof Failed failed) {
                        return failed(failed.answer());
                    }
                    if (outcome instanceof Conflict conflict) {
                        return attempts > 1
                                ? orReplaced(
                                        conflict.origin(),
                                        sent,
                                        () -> write(
                                                request, conflict.origin().clock(), conflict.current(), attempts - 1))
                                : failed(contended(key(request)));
                    }
                    Origin writer = ((RecordStore.Written) outcome).origin();
                    return orReplaced(writer, sent, () -> CompletableFuture.completedFuture(next));
                });
    }

    private RecordedMember next(BeatRequest request, @Nullable Instant clock, @Nullable Stored own) {
        RecordedMember before = own == null ? null : RecordedMember.read(own.text());
        long now = clock == null ? wall.getAsLong() : clock.toEpochMilli();
        return new RecordedMember(
                Math.max(now, before == null ? 0 : before.beat() + 1),
                request.expiresAfter(),
                clock == null ? null : clock.plus(request.expiresAfter()),
                before == null || hasExpired(before, clock) ? now : before.joined(),
                store.hearsAtOnce() && !isOrder(request) ? node : null,
                request.text());
    }

    private static boolean isOrder(BeatRequest request) {
        return request.instance().startsWith(ORDER);
    }

    /** Whether a member has expired, be its key still there or not. */
    private static boolean hasExpired(RecordedMember before, @Nullable Instant clock) {
        return clock != null && before.isOverdue(clock, Duration.ZERO);
    }

    private synchronized BeatReply reply(
            BeatRequest request, ReadAll all, RecordedMember own, long askedAt, long answeredAt) {
        List<MemberEntry> entries = new ArrayList<>();
        entries.add(new MemberEntry.Present(request.instance(), 0, own.joined(), own.text()));
        String present = all.origin().continuity() instanceof Continuity.OfIncarnation shown ? shown.id() : "";
        // Nobody reads who else is there in the reply to an order.
        boolean isLatest =
                !isOrder(request) && isLatest(askedAt, present, all.origin().clock());
        Map<String, Sight> seen = isLatest ? sights : new HashMap<>(sights);
        List<MemberEntry> found = look(all, key(request), !present.equals(roster), askedAt, observed.nanos(), seen);
        if (isLatest) {
            gone.clear();
            found.stream()
                    .filter(MemberEntry.Gone.class::isInstance)
                    .map(MemberEntry::instance)
                    .forEach(gone::add);
            lookedAt = answeredAt;
            lookedClock = all.origin().clock();
            roster = present;
        } else {
            found.removeIf(entry -> gone.contains(entry.instance()));
        }
        entries.addAll(found);
        return new BeatReply.Beaten(new RosterVersion(present, 0, 0), true, false, entries);
    }

    /** Whether the store was read after it was read for the latest look. Requests that are under way at the same time may overtake each other. */
    private boolean isLatest(long askedAt, String present, @Nullable Instant clock) {
        boolean isLater = present.equals(roster) && clock != null && lookedClock != null && clock.isAfter(lookedClock);
        return isLater || lookedAt == null || askedAt - lookedAt >= 0;
    }

    /**
     * Returns the entries of the other members. Those that are missing in another store are not gone: they may not have registered themselves
     * there yet.
     */
    private List<MemberEntry> look(
            ReadAll all, String ownKey, boolean isOther, long askedAt, long now, Map<String, Sight> seen) {
        Instant clock = all.origin().clock();
        List<MemberEntry> entries = new ArrayList<>();
        if (isOther) {
            seen.clear();
        }
        seen.remove(ownKey);
        seen.entrySet().removeIf(sight -> {
            boolean isMissing = !all.stored().containsKey(sight.getKey());
            if (isMissing) {
                boolean isOverdue = sight.getValue().isOverdue(clock, askedAt);
                entries.add(gone(sight.getKey(), isOverdue ? LeaveReason.EXPIRED : LeaveReason.STOPPED));
            }
            return isMissing;
        });
        all.stored().forEach((key, stored) -> {
            Sight sight = key.equals(ownKey) ? null : see(key, stored, now, seen);
            if (sight != null) {
                entries.add(sight.isOverdue(clock, askedAt) ? expire(key, sight) : present(key, sight.member()));
            }
        });
        return entries;
    }

    /** Notes the beat of a key; {@code null} for a text that no member has written. */
    private static @Nullable Sight see(String key, Stored stored, long now, Map<String, Sight> seen) {
        Sight before = seen.get(key);
        if (before != null && before.stored().equals(stored)) {
            return before;
        }
        RecordedMember member = RecordedMember.read(stored.text());
        if (member == null) {
            seen.remove(key);
            return null;
        }
        Sight sight = new Sight(stored, member, now);
        seen.put(key, sight);
        return sight;
    }

    /** Deletes an overdue member. The outcome makes no difference: others try it too, and the member may have come back meanwhile. */
    private MemberEntry expire(String key, Sight sight) {
        CompletionStage<ReplaceOutcome> unused = NoAnswerException.asked(() -> store.delete(key, sight.stored()));
        return gone(key, LeaveReason.EXPIRED);
    }

    private MemberEntry present(String key, RecordedMember member) {
        return new MemberEntry.Present(instance(key), 0, member.joined(), member.text());
    }

    private MemberEntry gone(String key, LeaveReason reason) {
        return new MemberEntry.Gone(instance(key), 0, reason);
    }

    @Override
    public CompletionStage<LeaveReply> leave(String instance) {
        return leave(prefix + instance, ATTEMPTS).exceptionally(NoAnswerException::reply);
    }

    private CompletionStage<LeaveReply> leave(String key, int attempts) {
        Sending sent = observed.sending();
        return NoAnswerException.asked(() -> store.read(key)).thenCompose(outcome -> {
            if (outcome instanceof Failed failed) {
                return failed(failed.answer());
            }
            Read read = (Read) outcome;
            Stored stored = read.stored();
            return stored == null ? left() : orReplaced(read.origin(), sent, () -> delete(key, stored, attempts));
        });
    }

    /** Makes a change, unless the store is older than one that this process has seen. */
    private <R> CompletionStage<R> orReplaced(Origin origin, Sending sent, Supplier<CompletionStage<R>> change) {
        return observed.unlessReplaced(store, origin, sent, seen -> change.get());
    }

    private CompletionStage<LeaveReply> delete(String key, Stored stored, int attempts) {
        return NoAnswerException.asked(() -> store.delete(key, stored)).thenCompose(outcome -> {
            if (outcome instanceof Failed failed) {
                return failed(failed.answer());
            }
            if (outcome instanceof Conflict) {
                return attempts > 1 ? leave(key, attempts - 1) : failed(contended(key));
            }
            return left();
        });
    }

    /** Never calls the listener, since each beat reads all members. */
    @Override
    public Subscription listen(Consumer<MemberNews> listener) {
        return () -> {};
    }

    @Override
    public int mostMembers() {
        return MOST;
    }

    private String key(BeatRequest request) {
        return prefix + request.instance();
    }

    private String instance(String key) {
        return key.substring(prefix.length());
    }

    private static CompletionStage<LeaveReply> left() {
        return CompletableFuture.completedFuture(new LeaveReply.Left());
    }

    private static NoAnswer contended(String key) {
        return new NoAnswer(StoreProblem.TIMED_OUT, "others have changed " + key + " " + ATTEMPTS + " times meanwhile");
    }

    private static <R> CompletionStage<R> failed(NoAnswer noAnswer) {
        return CompletableFuture.failedFuture(new NoAnswerException(noAnswer));
    }
}
