package dev.election;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A named election, which at most one node leads at any instant. Queries are answered from memory without I/O, unless stated otherwise.
 *
 * <p>An election does not guarantee that work of a leader ends before another node leads: long work should call {@link LeaderWork#isCurrent()}
 * repeatedly. Nor does it protect a resource from a leader that was paused between a check and a write: for that, pass the
 * {@link FencingToken} to the resource.
 */
public interface Election {

    /** The name of the default election. */
    String DEFAULT = "default";

    /** Upper bound for all timeouts. A longer one, such as {@code ChronoUnit.FOREVER}, is reduced to it. */
    Duration LONGEST_WAIT = Duration.ofDays(365);

    /** Returns the time, or {@link #LONGEST_WAIT} if the time is longer. */
    static Duration bounded(Duration wait) {
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }

    /** Returns whether an election may have that name: 1 to 64 of {@code A-Z a-z 0-9 . _ : -}. */
    static boolean isName(String name) {
        return name.matches("[A-Za-z0-9._:-]{1,64}");
    }

    /** The name of this election. */
    String name();

    /**
     * Whether this node leads now. Becomes false when the lease has ended, even if every other thread of the process hangs. Remains true
     * while a leader that resigns waits for its running work, and is true while a new leader {@linkplain LeaderRecovery recovers}, but
     * {@link #runIfLeader} and {@link #beginWork} then refuse new work.
     */
    boolean isLeader();

    /** The role of this node. */
    Role role();

    /** The leadership of this node, empty if it does not lead now. */
    Optional<Leadership> leadership();

    /** The leader as this node knows it, itself or another node; empty while it knows none. It may be outdated: another node may lead by now. */
    Optional<Leader> leader();

    /**
     * The time that the lease of the {@link #leader()} lasts if nothing renews it, as far as this node knows. A living leader renews it
     * before. Zero while this node knows no leader.
     */
    default Duration leaseRemaining() {
        return Duration.ZERO;
    }

    /**
     * Waits for the first result of this election, that is until this node knows for the first time who leads. There may be no leader any more
     * when this returns.
     *
     * @param timeout the maximum time to wait, no longer than {@link #LONGEST_WAIT}
     * @return whether there is a result; {@code false} if the timeout has elapsed
     */
    boolean awaitResult(Duration timeout) throws InterruptedException;

    /**
     * Waits until this node leads. It may have lost leadership again when this returns.
     *
     * @param timeout the maximum time to wait, no longer than {@link #LONGEST_WAIT}
     * @return whether it leads; {@code false} if the timeout has elapsed
     */
    boolean awaitLeadership(Duration timeout) throws InterruptedException;

    /**
     * Runs the work on this thread if {@link #beginWork()} admits it. The work counts as running until it returns or throws. Within it
     * {@link FencingToken#current()} is its token. An exception of the work is thrown to the caller.
     *
     * @return whether it ran
     */
    default boolean runIfLeader(Runnable work) {
        Optional<LeaderWork> admitted = beginWork();
        if (admitted.isEmpty()) {
            return false;
        }
        try (LeaderWork running = admitted.get();
                LeaderWork.Scope scope = running.onThisThread()) {
            work.run();
        }
        return true;
    }

    /**
     * Admits leader work that may end later or on another thread. The caller must close the returned work.
     *
     * <p>A node that resigns admits only parts of its running work: calls on a thread whose {@link CurrentWork} contains running work of
     * this election.
     *
     * @return empty if this node does not lead, or if it resigns and this is no part of its running work
     */
    Optional<LeaderWork> beginWork();

    /** The number of pieces of leader work that are running on this node. */
    int runningWork();

    /** Abdicates as {@link Abdication#toAnyone()} describes. */
    default CompletionStage<AbdicationOutcome> abdicate() {
        return abdicate(Abdication.toAnyone());
    }

    /**
     * Admits no more work from now on, waits for running work while the lease is still renewed, and then releases the lease. The stage completes
     * when that is done; with {@link AbdicationOutcome#NOT_LEADER} if this node does not lead. It never completes exceptionally.
     */
    CompletionStage<AbdicationOutcome> abdicate(Abdication how);

    /**
     * Abdicates since this node can't do the work of the leader. Afterwards this node does not campaign for the time of a lease, and for twice
     * as long each further time, up to an hour. If every node gives up, nobody leads until the first one campaigns again.
     *
     * @param reason why, for the log and the history
     */
    default CompletionStage<AbdicationOutcome> giveUp(String reason) {
        return abdicate(Abdication.toAnyone().requestedBy(reason));
    }

    /**
     * Makes this node a candidate or an observer of this election. The role also holds after a stop and another start, but not in another
     * process. If the elections are not running, it holds from their next start.
     *
     * <ul>
     *   <li>A leader that becomes an observer first abdicates: it admits no more work, waits for running work and releases the lease.
     *   <li>A follower that becomes an observer leaves the queue of candidates.
     *   <li>An observer that becomes a candidate campaigns at once.
     * </ul>
     *
     * <p>The stage never completes exceptionally. It completes when this node has the role, which may be another one by then if there was a
     * further call. It also completes if this node stops or the elections are closed meanwhile.
     */
    CompletionStage<Void> setRole(AssignedRole role);

    /**
     * Requests the leader, on any node, to abdicate, and waits until the next leader is known. The stage never completes exceptionally: the
     * report contains the outcome.
     *
     * <p>The request concerns the {@link #leader()} that this node knows now. If that leadership has just ended, no request is sent, and
     * the report contains the new leader. So two concurrent requests cause one change of leader.
     *
     * <p>The request is refused if the store lacks a capability that it needs: {@link AbdicationOutcome#UNSUPPORTED}.
     */
    CompletionStage<AbdicationReport> requestAbdication(AbdicationRequest request);

    /**
     * Reads the present state and the past leaderships of the election from the store. Unlike the other queries this sends a request. The
     * stage fails with a {@link StoreUnavailableException} if the store gives no usable reply.
     */
    CompletionStage<StoreView> lookUp();

    /**
     * The text that leaders of this election leave for their successors. This call sends no request.
     *
     * @throws ElectionConfigurationException if the store keeps none
     */
    default LeaderState state() {
        throw new ElectionConfigurationException(
                "The election '" + name() + "' keeps no state of its leaders",
                "Use a store that keeps ledgers, such as Redis or a database.");
    }

    /**
     * Adds a listener. If this node leads, the listener first receives {@code Acquired}, or {@code Recovering} while this node recovers. It
     * receives nothing else of what happened before.
     */
    void addListener(LeadershipListener listener);

    /** Removes a listener. It may still receive an event that has already been dispatched. */
    void removeListener(LeadershipListener listener);
}
