package dev.election;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A named contest that at most one node leads at any instant. All questions are answered from memory, without I/O.
 *
 * <p>What it does not promise: that work begun as the leader ends before another node leads (long work asks
 * {@link LeaderWork#isCurrent()} on its way), nor that a resource is protected from a leader that was paused between asking
 * and writing. For that, hand the {@link FencingToken} to the resource.
 */
public interface Election {

    /** The name of the election that is meant where none is named. */
    String DEFAULT = "default";

    /** The longest time that any method waits. A longer one, such as {@code ChronoUnit.FOREVER}, is cut to it. */
    Duration LONGEST_WAIT = Duration.ofDays(365);

    /** That time, or {@link #LONGEST_WAIT} if it is longer. */
    static Duration bounded(Duration wait) {
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }

    /** Whether an election may have that name: 1 to 64 of {@code A-Z a-z 0-9 . _ : -}. */
    static boolean isName(String name) {
        return name.matches("[A-Za-z0-9._:-]{1,64}");
    }

    /** The name of this election. */
    String name();

    /**
     * Whether this node leads right now. Turns false by itself when the lease has ended, even if every other thread of the
     * process hangs. Stays true while a leader that resigns waits for its running work; to be refused then, ask for admission
     * by {@link #runIfLeader} or {@link #beginWork}.
     */
    boolean isLeader();

    /** What part this node plays. */
    Role role();

    /** The leadership of this node, empty if it does not lead right now. */
    Optional<Leadership> leadership();

    /** The leader as far as this node has heard, itself or another; empty while none is known. */
    Optional<Leader> leader();

    /**
     * Waits until it is known for the first time who leads.
     *
     * @param timeout how long at most, and no longer than {@link #LONGEST_WAIT}
     * @return whether it is known; {@code false} means that the time ran out
     */
    boolean awaitResult(Duration timeout) throws InterruptedException;

    /**
     * Waits until this node leads.
     *
     * @param timeout how long at most, and no longer than {@link #LONGEST_WAIT}
     * @return whether it leads; {@code false} means that the time ran out
     */
    boolean awaitLeadership(Duration timeout) throws InterruptedException;

    /**
     * Runs the work on this thread if {@link #beginWork()} admits it. It counts as running until it returns or throws,
     * and finds its token as {@link FencingToken#current()}.
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
     * Asks to be admitted as leader work that ends elsewhere, on another thread or later. Whoever is admitted must close it.
     *
     * <p>A node that is about to resign admits only what belongs to work that still runs: what is asked for on a thread that does
     * such work of this election, as {@link CurrentWork} tells.
     *
     * @return empty if this node does not lead, or is about to resign and this is no part of its running work
     */
    Optional<LeaderWork> beginWork();

    /** How many pieces of leader work run on this node right now. */
    int runningWork();

    /** Gives up leadership as {@link Abdication#toAnyone()} describes. */
    default CompletionStage<AbdicationOutcome> abdicate() {
        return abdicate(Abdication.toAnyone());
    }

    /** Admits no new work, waits for the running work while the lease goes on being renewed, then releases it. */
    CompletionStage<AbdicationOutcome> abdicate(Abdication how);

    /**
     * Asks whoever leads, on whatever node, to give leadership up, and waits until it is known who leads then. Never fails: what
     * came of it is in the report.
     *
     * <p>The request is about {@link #leader()} as this node knows it now. If that leadership has just ended, nobody is asked, and
     * the report says who leads since. So two operators at once cause one hand-over.
     *
     * <p>Where the store lacks what the request needs, it is refused: {@link AbdicationOutcome#UNSUPPORTED}.
     */
    CompletionStage<AbdicationReport> requestAbdication(AbdicationRequest request);

    /**
     * Asks the store how the election stands and who led before, which this node need not know. Unlike the other questions it
     * costs a request; it fails with a {@link StoreUnavailableException} if that is not answered.
     */
    CompletionStage<StoreView> lookUp();

    /** Adds a listener; if this node leads, the listener hears that first. */
    void addListener(LeadershipListener listener);

    /** Removes a listener; an event that is already on its way may still reach it. */
    void removeListener(LeadershipListener listener);
}
