package dev.election.record;

import dev.election.record.ElectionRecord.Lease;
import dev.election.record.StoredElection.News;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The summary of the text of an election, for a store that shows it to people beside the text, and for one that polls for news.
 *
 * @param holder the lease, {@code null} if nobody holds it
 * @param latestNews the id of the latest event or message, empty if there is none. Renewals leave it as it is, so a store that polls for
 *     changes compares this
 */
public record RecordSummary(@Nullable Holder holder, String latestNews) {

    /**
     * The holder of the lease.
     *
     * @param node the id of the node
     * @param token the fencing token
     * @param since when the lease was granted, by the clock of the store
     * @param length how long it was made for
     * @param until when the lease ends unless it is renewed, by the clock of the store
     */
    public record Holder(String node, long token, Instant since, Duration length, Instant until) {}

    /** Reads a text; empty for one that is neither that of an election nor of messages, such as a ledger. */
    public static Optional<RecordSummary> of(String text) {
        if (text.startsWith(Mailbox.FORMAT)) {
            return ofMessages(text);
        }
        StoredElection stored;
        try {
            stored = RecordText.read(text);
        } catch (NewerFormatException | IllegalArgumentException another) {
            return Optional.empty();
        }
        Lease lease = stored.record().lease();
        List<News> news = stored.news();
        return Optional.of(new RecordSummary(
                lease == null ? null : holder(lease),
                news.isEmpty() ? "" : news.get(news.size() - 1).id()));
    }

    private static Optional<RecordSummary> ofMessages(String text) {
        try {
            List<Mailbox.Message> messages = Mailbox.read(text).messages();
            return Optional.of(new RecordSummary(
                    null,
                    messages.isEmpty() ? "" : messages.get(messages.size() - 1).id()));
        } catch (IllegalArgumentException another) {
            return Optional.empty();
        }
    }

    private static Holder holder(Lease lease) {
        return new Holder(
                lease.node().id(),
                lease.token(),
                Instant.ofEpochMilli(lease.since()),
                Duration.ofMillis(lease.length()),
                Instant.ofEpochMilli(lease.ends()));
    }
}
