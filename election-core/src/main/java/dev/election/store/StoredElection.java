package dev.election.store;

import java.util.ArrayList;
import java.util.List;

/**
 * What a {@link RecordStore} holds of an election.
 *
 * @param write the id of the write that made it, which no other has
 * @param millis the time of the record when it was written
 * @param record how the election stands
 * @param news what was told lately, the latest last
 */
record StoredElection(String write, long millis, ElectionRecord record, List<News> news) {

    /** Somebody who has not heard of it before that many others were told missed it. */
    private static final int NEWS_KEPT = 32;

    private static final long NEWS_LAST = 60_000;

    StoredElection {
        news = List.copyOf(news);
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
