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
 * @param leader who leads as far as is known
 * @param leaderExpiry when its lease ends unless renewed, on the monotonic clock
 * @param candidacy the number of the present candidacy
 * @param attempts the number of the latest attempt
 * @param news of which the replies to some attempts may not know
 * @param latency how long the latest answer took, in nanoseconds
 * @param rank how many candidates stood before this one when the store last said so; empty if it keeps no order
 * @param rankedAt when the attempt was sent by which it said so, or when this node began to ask
 * @param place how many others should lead before this node by the order of succession; empty if that is not known, or nobody has asked for
 *     an order
 * @param isOccupied whether a recovery that this node began as a leader has not returned yet: until then it does not campaign
 * @param leaderless whether an election is going on: no leader is known and that was announced
 * @param failures how many attempts in a row went unanswered
 * @param problems why, each kind announced once until the store answers again
 * @param hearing whether it hears what the store tells
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

    /** The store knew of that many before this candidate when it was asked then. */
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

    /** A candidate has left the queue, most likely the first one. The rank is off by at most one place until the next reply of the store. */
    public Knowledge movedUp() {
        return rank.isEmpty() ? this : ranked(OptionalInt.of(Math.max(0, rank.getAsInt() - 1)), rankedAt);
    }

    /** The order of succession has changed. */
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

    /** A recovery of this node runs from now on, or has returned. */
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

    /** How many others ask before this node. */
    public OptionalInt turn() {
        return place.isPresent() ? place : rank;
    }

    public Knowledge attempting() {
        return numbered(candidacy, attempts + 1, news);
    }

    public Knowledge withNewCandidacy() {
        return numbered(candidacy + 1, attempts, news);
    }

    /** There is news that no request under way may know of. */
    public Knowledge outdatingAll() {
        return numbered(candidacy, attempts, news.all(attempts));
    }

    /** The replies to all attempts so far tell of no wait that a later one begins. Grants count. */
    public Knowledge outdatingWaits() {
        return numbered(candidacy, attempts, news.butForGrants(attempts));
    }

    /** The store has called while requests may be under way. */
    public Knowledge called(StoreEvent.RollCall call) {
        return numbered(candidacy, attempts, news.called(call, attempts));
    }

    /** The reply to that attempt has arrived: replies to earlier attempts are outdated. */
    public Knowledge outdatingUpTo(Attempt attempt) {
        return numbered(candidacy, attempts, news.upTo(attempt.number()));
    }

    /** Whether all that is known here was known when that attempt was made. */
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

    /** An answer that does not say whether the problems are over. */
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

    /** The knowledge after an input, which does not depend on the state of the node. */
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

    /** Whether the known leader was granted its lease before that token, so that the token is news. */
    public boolean knowsLeaderBefore(FencingToken token) {
        return leader != null && token.isNewerThan(leader.token());
    }

    /** Whether the known leader was granted its lease after that token, so that the token is old. */
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
