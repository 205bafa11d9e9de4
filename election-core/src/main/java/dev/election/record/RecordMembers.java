package dev.election.record;

import dev.election.StoreProblem;
import dev.election.members.LeaveReason;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.record.RecordStore.ReplaceOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.LeaveReply;
import dev.election.store.MemberEntry;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.NoAnswer;
import dev.election.store.RosterVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The members in a {@link RecordStore}, each under a key of its own. A beat reads all of them and writes one, so this is for a few dozen. In a
 * store without a clock a member expires once this process has seen the same beat for as long as a beat lasts.
 */
final class RecordMembers implements MemberStore {

    private static final int MOST = 50;

    /** Only this process and whoever finds it overdue change a key. */
    private static final int ATTEMPTS = 3;

    private final RecordStore store;
    private final String prefix;
    private final ObservedStore observed;
    private final LongSupplier wall;

    /** The latest beat of each member, by key. Guarded by this. */
    private final Map<String, Sight> sights = new HashMap<>();

    RecordMembers(RecordStore store, String prefix, ObservedStore observed, LongSupplier wall) {
        this.store = store;
        this.prefix = prefix;
        this.observed = observed;
        this.wall = wall;
    }

    /**
     * A beat as it was first seen.
     *
     * @param stored what the key held
     * @param member what that says
     * @param since the monotonic clock of this process then
     */
    private record Sight(Stored stored, RecordedMember member, long since) {

        boolean isOverdue(@Nullable Instant clock, long now) {
            return member.isOverdue(clock, Duration.ofNanos(now - since));
        }
    }

    @Override
    public CompletionStage<BeatReply> beat(BeatRequest request) {
        return NoAnswerException.asked(() -> store.readAll(prefix))
                .thenCompose(outcome -> outcome instanceof ReadAll all
                        ? write(request, all, all.stored().get(key(request)), ATTEMPTS)
                        : failed(((Failed) outcome).answer()))
                .exceptionally(NoAnswerException::reply);
    }

    private CompletionStage<BeatReply> write(BeatRequest request, ReadAll all, @Nullable Stored own, int attempts) {
        Instant clock = all.origin().clock();
        RecordedMember next = next(request, clock, own);
        return NoAnswerException.asked(() -> store.replace(key(request), own, next.write()))
                .thenCompose(outcome -> {
                    if (outcome instanceof Failed failed) {
                        return failed(failed.answer());
                    }
                    if (outcome instanceof Conflict conflict) {
                        return attempts > 1
                                ? write(request, all, conflict.current(), attempts - 1)
                                : failed(contended(key(request)));
                    }
                    return CompletableFuture.completedFuture(reply(request, all, next));
                });
    }

    private RecordedMember next(BeatRequest request, @Nullable Instant clock, @Nullable Stored own) {
        RecordedMember before = own == null ? null : RecordedMember.read(own.text());
        long now = clock == null ? wall.getAsLong() : clock.toEpochMilli();
        return new RecordedMember(
                before == null ? 1 : before.beat() + 1,
                request.expiresAfter(),
                clock == null ? null : clock.plus(request.expiresAfter()),
                before == null ? now : before.joined(),
                request.text());
    }

    private BeatReply reply(BeatRequest request, ReadAll all, RecordedMember own) {
        List<MemberEntry> entries = new ArrayList<>();
        entries.add(new MemberEntry.Present(request.instance(), 0, own.joined(), own.text()));
        entries.addAll(look(all, key(request)));
        String roster = all.origin().continuity() instanceof Continuity.OfIncarnation present ? present.id() : "";
        return new BeatReply.Beaten(new RosterVersion(roster, 0, 0), true, false, entries);
    }

    /** What has become of the other members. */
    private synchronized List<MemberEntry> look(ReadAll all, String ownKey) {
        long now = observed.nanos();
        Instant clock = all.origin().clock();
        List<MemberEntry> entries = new ArrayList<>();
        sights.remove(ownKey);
        sights.entrySet().removeIf(before -> {
            boolean isMissing = !all.stored().containsKey(before.getKey());
            if (isMissing) {
                boolean isOverdue = before.getValue().isOverdue(clock, now);
                entries.add(gone(before.getKey(), isOverdue ? LeaveReason.EXPIRED : LeaveReason.STOPPED));
            }
            return isMissing;
        });
        all.stored().forEach((key, stored) -> {
            Sight sight = key.equals(ownKey) ? null : see(key, stored, now);
            if (sight != null) {
                entries.add(sight.isOverdue(clock, now) ? expire(key, sight) : present(key, sight.member()));
            }
        });
        return entries;
    }

    /** {@code null} for what no member has written. */
    private @Nullable Sight see(String key, Stored stored, long now) {
        Sight before = sights.get(key);
        if (before != null && before.stored().equals(stored)) {
            return before;
        }
        RecordedMember member = RecordedMember.read(stored.text());
        if (member == null) {
            sights.remove(key);
            return null;
        }
        Sight sight = new Sight(stored, member, now);
        sights.put(key, sight);
        return sight;
    }

    /** Whoever else finds it overdue tries the same, and it may have come back meanwhile: whether it is deleted makes no difference here. */
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
        return NoAnswerException.asked(() -> store.read(key)).thenCompose(outcome -> {
            if (outcome instanceof Failed failed) {
                return failed(failed.answer());
            }
            Stored stored = ((Read) outcome).stored();
            return stored == null ? left() : delete(key, stored, attempts);
        });
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

    /** A beat reads the news. */
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
