package dev.election.internal.protocol;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.StoreProblem;
import dev.election.store.StoreEvent;
import java.util.Collections;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of a node, which it keeps when its role changes.
 *
 * @param seen the highest token seen, 0 if none; never falls
 * @param leader the known leader
 * @param leaderExpiry when its lease ends unless renewed, on the monotonic clock
 * @param candidacy the number of the present candidacy
 * @param attempts the number of the latest attempt
 * @param news the latest news, which replies to earlier attempts may not reflect
 * @param latency the time of the latest answer, in nanoseconds
 * @param rank the number of candidates before this one in the latest answer of the store; empty if the store keeps no order
 * @param rankedAt when the campaign with that answer was sent, or when this node began to campaign
 * @param place the number of nodes that should lead before this one in the order of succession; empty if it is not known, or the rank
 *     decides
 * @param isOccupied whether a recovery that this node began as a leader has not returned yet: until then it does not campaign
 * @param leaderless whether no leader is known and that was announced
 * @param failures the number of attempts in a row without an answer
 * @param problems the problems of these attempts, each announced once until the store answers again
 * @param hearing whether this node gets the events of the store
 */
public record Knowledge(
        long seen,
        @Nullable Leader leader,
        long leaderExpiry,
        long candidacy,
        long attempts,
        News news,
        long latency,
        OptionalInt rank,
        long rankedAt,
        OptionalInt place,
        boolean isOccupied,
        boolean leaderless,
        int failures,
        Set<StoreProblem> problems,
        Hearing hearing) {

    public static final Knowledge NONE = new Knowledge(
            0,
            null,
            0,
            1,
            0,
            News.NONE,
            0,
            OptionalInt.of(0),
            0,
            OptionalInt.empty(),
            false,
            false,
            0,
            Set.of(),
            Hearing.UNKNOWN);

    public Knowledge seeing(FencingToken token) {
        return seeing(token.value());
    }

    public Knowledge seeing(long token) {
        return seen >= token ? this : with(token, leader, leaderExpiry, leaderless);
    }

    public Knowledge ledBy(@Nullable Leader newLeader, long until) {
        return with(seen, newLeader, until, leaderless);
    }

    public Knowledge leaderless(boolean isLeaderless) {
        return leaderless == isLeaderless ? this : with(seen, leader, leaderExpiry, isLeaderless);
    }

    /** Sets the rank in the answer to a campaign that was sent at that time. */
    public Knowledge ranked(OptionalInt newRank, long askedAt) {
        return new Knowledge(
                seen,
                leader,
                leaderExpiry,
                candidacy,
                attempts,
                news,
                latency,
                newRank,
                askedAt,
                place,
                isOccupied,
                leaderless,
                failures,
                problems,
                hearing);
    }

    /** Moves up by one place: a candidate has left the queue, most likely the first one. The next answer of the store corrects the rank. */
    public Knowledge movedUp() {
        return rank.isEmpty() ? this : ranked(OptionalInt.of(Math.max(0, rank.getAsInt() - 1)), rankedAt);
    }

    /** Sets the place in the order of succession. */
    public Knowledge placed(OptionalInt newPlace) {
        return new Knowledge(
                seen,
                leader,
                leaderExpiry,
                candidacy,
                attempts,
                news,
                latency,
                rank,
                rankedAt,
                newPlace,
                isOccupied,
                leaderless,
                failures,
                problems,
                hearing);
    }

    /** Sets whether a recovery of this node runs. */
    public Knowledge occupied(boolean isNowOccupied) {
        return new Knowledge(
                seen,
                leader,
                leaderExpiry,
                candidacy,
                attempts,
                news,
                latency,
                rank,
                rankedAt,
                place,
                isNowOccupied,
                leaderless,
                failures,
                problems,
                hearing);
    }

    /** Returns the number of nodes that campaign before this one. */
    public OptionalInt turn() {
        return place.isPresent() ? place : rank;
    }

    /** Whether this node asks only for a lease that has been free for as long as a lease. */
    boolean comesLast() {
        return turn().equals(OptionalInt.of(QueueTimings.LAST));
    }

    public Knowledge attempting() {
        return numbered(candidacy, attempts + 1, news);
    }

    public Knowledge withNewCandidacy() {
        return numbered(candidacy + 1, attempts, news);
    }

    /** Records news that the replies to all attempts so far may not reflect. */
    public Knowledge outdatingAll() {
        return numbered(candidacy, attempts, news.all(attempts));
    }

    /** Outdates the replies to all attempts so far, but for grants: these attempts did not let the store begin its lock delay. */
    public Knowledge outdatingWaits() {
        return numbered(candidacy, attempts, news.butForGrants(attempts));
    }

    /** Records a roll call while requests may be under way. */
    public Knowledge called(StoreEvent.RollCall call) {
        return numbered(candidacy, attempts, news.called(call, attempts));
    }

    /** Outdates the replies to earlier attempts than that one, whose reply has arrived. */
    public Knowledge outdatingUpTo(Attempt attempt) {
        return numbered(candidacy, attempts, news.upTo(attempt.number()));
    }

    /** Whether the reply to an attempt reflects all news. */
    public boolean isUpToDate(Attempt attempt) {
        return news.isKnownTo(attempt);
    }

    public Knowledge failing(StoreProblem problem) {
        Set<StoreProblem> more = EnumSet.of(problem);
        more.addAll(problems);
        return replied(latency, failures + 1, Collections.unmodifiableSet(more));
    }

    public Knowledge answeredAfter(long nanos) {
        return replied(nanos, 0, Set.of());
    }

    /** Records an answer after which the problems may persist. */
    public Knowledge refusedAfter(long nanos) {
        return replied(nanos, 0, problems);
    }

    public Knowledge hearing(Hearing newHearing) {
        return new Knowledge(
                seen,
                leader,
                leaderExpiry,
                candidacy,
                attempts,
                news,
                latency,
                rank,
                rankedAt,
                place,
                isOccupied,
                leaderless,
                failures,
                problems,
                newHearing);
    }

    /** Returns the knowledge after an input, by rules that are the same in all states. */
    public Knowledge after(Input input) {
        Knowledge wiser = seeing(input.highestToken());
        if (input instanceof Input.Placed placed) {
            return wiser.placed(placed.place());
        }
        if (input instanceof Input.Occupied occupied) {
            return wiser.occupied(occupied.isOccupied());
        }
        Hearing after = input instanceof Input.Heard heard ? hearing.after(heard.event()) : hearing;
        return after == hearing ? wiser : wiser.hearing(after);
    }

    /** Whether that token is newer than that of the known leader. */
    public boolean knowsLeaderBefore(FencingToken token) {
        return leader != null && token.isNewerThan(leader.token());
    }

    /** Whether that token is older than that of the known leader. */
    public boolean knowsLeaderAfter(FencingToken token) {
        return leader != null && leader.token().isNewerThan(token);
    }

    private Knowledge with(long newSeen, @Nullable Leader newLeader, long until, boolean isLeaderless) {
        return new Knowledge(
                newSeen,
                newLeader,
                until,
                candidacy,
                attempts,
                news,
                latency,
                rank,
                rankedAt,
                place,
                isOccupied,
                isLeaderless,
                failures,
                problems,
                hearing);
    }

    private Knowledge numbered(long newCandidacy, long newAttempts, News newNews) {
        return new Knowledge(
                seen,
                leader,
                leaderExpiry,
                newCandidacy,
                newAttempts,
                newNews,
                latency,
                rank,
                rankedAt,
                place,
                isOccupied,
                leaderless,
                failures,
                problems,
                hearing);
    }

    private Knowledge replied(long newLatency, int newFailures, Set<StoreProblem> newProblems) {
        return new Knowledge(
                seen,
                leader,
                leaderExpiry,
                candidacy,
                attempts,
                news,
                newLatency,
                rank,
                rankedAt,
                place,
                isOccupied,
                leaderless,
                newFailures,
                newProblems,
                hearing);
    }
}
