package dev.election.record;

import dev.election.record.Decision.End;
import dev.election.store.EventText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link RecordStore} holds of an election.
 *
 * @param write the id of the write that made it, which no other has
 * @param millis when it was written, by the clock of the store or of the writer
 * @param ends which writes have set the ends of the record
 * @param record how the election stands
 * @param news what was told lately, the latest last
 */
record StoredElection(String write, long millis, Ends ends, ElectionRecord record, List<News> news) {

    /** Somebody who has not heard of it before that many others were told missed it. */
    private static final int NEWS_KEPT = 32;

    private static final long NEWS_LAST = 60_000;

    StoredElection {
        news = List.copyOf(news);
    }

    /**
     * The ids of the writes that have set the ends of a record. A node that only writes what it has read leaves them as they are.
     *
     * @param lease the last grant or renewal, {@code null} if there was none
     * @param lockDelay what began the lock delay, {@code null} if there is none
     */
    record Ends(@Nullable String lease, @Nullable String lockDelay) {

        static final Ends NONE = new Ends(null, null);

        /** After a decision that was written. */
        Ends after(Decision<?> decision, String write) {
            return new Ends(
                    decision.set().contains(End.LEASE) ? write : lease,
                    decision.set().contains(End.LOCK_DELAY) ? write : lockDelay);
        }
    }

    /**
     * An event or a message.
     *
     * @param id tells it from others
     * @param millis when it was told
     * @param text as {@link EventText} writes it
     */
    record News(String id, long millis, String text) {}

    /** What of these is still worth telling, with more. */
    static List<News> keep(List<News> before, List<News> added, long now) {
        List<News> kept = new ArrayList<>(before);
        kept.removeIf(news -> news.millis < now - NEWS_LAST);
        kept.addAll(added);
        return kept.subList(Math.max(0, kept.size() - NEWS_KEPT), kept.size());
    }
}
