package dev.election.record;

import dev.election.record.Decision.End;
import dev.election.store.EventText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An election as its text in a {@link RecordStore} describes it.
 *
 * @param write the id of the write, which no other has
 * @param millis when it was written, by the clock of the store or of the writer
 * @param ends the writes that have set the ends of the record
 * @param record the state of the election
 * @param news the events and messages of the last minute, the latest last
 */
record StoredElection(String write, long millis, Ends ends, ElectionRecord record, List<News> news) {

    /** The highest number of news that are kept. A process that looks too late misses the older ones. */
    private static final int NEWS_KEPT = 32;

    private static final long NEWS_LAST = 60_000;

    StoredElection {
        news = List.copyOf(news);
    }

    /**
     * The ids of the writes that have set the ends of a record. A node that only writes what it has read leaves them as they are.
     *
     * @param lease the last grant or renewal, {@code null} if there was none
     * @param lockDelay the write that began the lock delay, {@code null} if there is none
     */
    record Ends(@Nullable String lease, @Nullable String lockDelay) {

        static final Ends NONE = new Ends(null, null);

        /** Returns the ends after a decision that was written. */
        Ends after(Decision<?> decision, String write) {
            return new Ends(
                    decision.set().contains(End.LEASE) ? write : lease,
                    decision.set().contains(End.LOCK_DELAY) ? write : lockDelay);
        }
    }

    /**
     * An event or a message.
     *
     * @param id its id, which no other has
     * @param millis when it was written
     * @param text its text as {@link EventText} writes it
     */
    record News(String id, long millis, String text) {}

    /** Returns the news without those that are too old or too many, with added ones. */
    static List<News> keep(List<News> before, List<News> added, long now) {
        List<News> kept = new ArrayList<>(before);
        kept.removeIf(news -> news.millis < now - NEWS_LAST);
        kept.addAll(added);
        return kept.subList(Math.max(0, kept.size() - NEWS_KEPT), kept.size());
    }
}
