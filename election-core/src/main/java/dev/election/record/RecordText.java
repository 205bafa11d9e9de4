package dev.election.record;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.record.ElectionRecord.Epoch;
import dev.election.record.ElectionRecord.LastEviction;
import dev.election.record.ElectionRecord.Lease;
import dev.election.record.ElectionRecord.LockDelay;
import dev.election.record.ElectionRecord.Visitor;
import dev.election.record.ElectionRecord.Waiting;
import dev.election.record.StoredElection.Ends;
import dev.election.record.StoredElection.News;
import dev.election.store.PastLeader;
import dev.election.support.OneLine;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of an election in a {@link RecordStore}: a line {@code name=value} for each part, so that people can read it with the store's own
 * tools. Times are those of ISO 8601, lengths are in milliseconds.
 */
final class RecordText {

    /** Records of format 1 do not name the writes that have set their ends. */
    private static final int FORMAT = 2;

    private static final String EPOCH_WRITE = "epoch.write";
    private static final String LOCK_DELAY_WRITE = "lock-delay.write";
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);

    /** The usual form of a time. */
    private static final String USUAL = "2026-11-28T10:00:00.123Z";

    /** Leadership may be reserved for a successor for as long as an abdication allows. */
    private static final Duration LONGEST_LOCK_DELAY = Election.LONGEST_WAIT;

    private RecordText() {}

    static String write(StoredElection stored) {
        Lines lines = new Lines();
        lines.put("format", FORMAT);
        lines.put("write", stored.write());
        lines.put("time", time(stored.millis()));
        ElectionRecord record = stored.record();
        put(lines, record.lease());
        put(lines, record.epoch());
        put(lines, EPOCH_WRITE, stored.ends().lease());
        LockDelay delay = record.lockDelay();
        if (delay != null) {
            lines.put("lock-delay.until", time(delay.ends()));
            lines.put("lock-delay.length", delay.length());
            lines.put("lock-delay.why", delay.why().text());
            put(lines, LOCK_DELAY_WRITE, stored.ends().lockDelay());
        }
        for (Waiting waiting : record.queue()) {
            lines.put("waiting", time(waiting.joined()) + " " + time(waiting.gone()) + " " + waiting.candidacy());
        }
        record.history().forEach(past -> put(lines, past));
        for (News news : stored.news()) {
            lines.put("news", time(news.millis()) + " " + news.id() + " " + news.text());
        }
        return lines.text();
    }

    /**
     * Reads the text of an election.
     *
     * @throws NewerFormatException if a newer version has written it
     * @throws IllegalArgumentException if the text is anything else
     */
    static StoredElection read(String text) {
        Lines lines = Lines.of(text);
        int format = lines.format();
        if (format > FORMAT) {
            throw new NewerFormatException(format, FORMAT);
        }
        ElectionRecord record = new ElectionRecord(
                lines.has("lease.candidacy") ? lease(lines) : null,
                lines.has("epoch.token") ? epoch(lines) : null,
                lines.has("lock-delay.until")
                        ? new LockDelay(
                                lines.time("lock-delay.until"),
                                lines.length("lock-delay.length", LONGEST_LOCK_DELAY),
                                ElectionRecord.Reason.of(lines.get("lock-delay.why")))
                        : null,
                lines.all("waiting").stream().map(RecordText::waiting).toList(),
                lines.all("leadership").stream().map(RecordText::leadership).toList());
        return new StoredElection(
                lines.get("write"),
                lines.time("time"),
                new Ends(
                        record.epoch() == null ? null : end(lines, EPOCH_WRITE),
                        record.lockDelay() == null ? null : end(lines, LOCK_DELAY_WRITE)),
                record,
                lines.all("news").stream().map(RecordText::news).toList());
    }

    /** Returns the id of the write that set an end. Format 1 does not name it, so that the latest write may be the one. */
    private static String end(Lines lines, String name) {
        return lines.get(lines.has(name) ? name : "write");
    }

    private static void put(Lines lines, String name, @Nullable String value) {
        if (value != null) {
            lines.put(name, value);
        }
    }

    private static void put(Lines lines, @Nullable Lease lease) {
        if (lease == null) {
            return;
        }
        lines.put("lease.node", lease.node().text());
        lines.put("lease.candidacy", lease.candidacy());
        lines.put("lease.token", lease.token());
        lines.put("lease.since", time(lease.since()));
        lines.put("lease.until", time(lease.ends()));
        lines.put("lease.length", lease.length());
        Visitor visitor = lease.visitor();
        if (visitor != null) {
            lines.put("lease.visitor", visitor.application());
            lines.put("lease.visitor-until", time(visitor.until()));
        }
    }

    private static Lease lease(Lines lines) {
        return new Lease(
                lines.get("lease.candidacy"),
                NodeInfo.parse(lines.get("lease.node")),
                new FencingToken(lines.number("lease.token")).value(),
                lines.time("lease.since"),
                lines.time("lease.until"),
                lines.length("lease.length", LONGEST_LEASE),
                lines.has("lease.visitor")
                        ? new Visitor(lines.get("lease.visitor"), lines.time("lease.visitor-until"))
                        : null);
    }

    private static void put(Lines lines, @Nullable Epoch epoch) {
        if (epoch == null) {
            return;
        }
        lines.put("epoch.token", epoch.token());
        lines.put("epoch.closed", epoch.closed());
        lines.put("epoch.until", time(epoch.ends()));
        lines.put("epoch.length", epoch.length());
        lines.put("epoch.incarnation", epoch.incarnation());
        LastEviction eviction = epoch.eviction();
        if (eviction != null) {
            lines.put("epoch.evicted", eviction.token());
            lines.put("epoch.cooldown", eviction.cooldown().toMillis());
        }
    }

    private static Epoch epoch(Lines lines) {
        return new Epoch(
                lines.token("epoch.token"),
                lines.token("epoch.closed"),
                lines.time("epoch.until"),
                lines.length("epoch.length", LONGEST_LEASE),
                lines.get("epoch.incarnation"),
                lines.has("epoch.evicted")
                        ? new LastEviction(
                                lines.number("epoch.evicted"), Duration.ofMillis(lines.number("epoch.cooldown")))
                        : null);
    }

    private static Waiting waiting(String text) {
        String[] part = parts(text, 3);
        return new Waiting(part[2], millis(part[0]), millis(part[1]));
    }

    private static News news(String text) {
        String[] part = parts(text, 3);
        return new News(part[1], millis(part[0]), part[2]);
    }

    /** Writes token, since, until, reason, node and who asked for the end; {@code -} where there is no end yet. */
    private static void put(Lines lines, LeadershipRecord past) {
        Leader leader = past.leader();
        Instant until = past.until();
        LossReason reason = past.reason();
        lines.put(
                "leadership",
                leader.token() + " " + leader.since() + " " + (until == null ? "-" : until) + " "
                        + (reason == null ? "-" : reason) + " "
                        + PastLeader.text(new NodeInfo(leader.node(), leader.address()), past.requestedBy()));
    }

    private static LeadershipRecord leadership(String text) {
        String[] part = parts(text, 5);
        NodeInfo node = NodeInfo.parse(part[4]);
        Leader leader = new Leader(
                node.id(), node.address(), new FencingToken(Long.parseLong(part[0])), instant(millis(part[1])));
        return new LeadershipRecord(
                leader,
                part[2].equals("-") ? null : instant(millis(part[2])),
                part[3].equals("-") ? null : reason(part[3]),
                PastLeader.requestedBy(part[4]));
    }

    /** Reads a reason. One that only a newer version knows is read as the most general one. */
    private static LossReason reason(String name) {
        return Arrays.stream(LossReason.values())
                .filter(reason -> reason.name().equals(name))
                .findAny()
                .orElse(LossReason.EXPIRED);
    }

    private static String[] parts(String text, int count) {
        String[] part = text.split(" ", count);
        if (part.length < count) {
            throw new IllegalArgumentException("Not a part of a record: " + text);
        }
        return part;
    }

    private static String time(long millis) {
        return instant(millis).toString();
    }

    private static Instant instant(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    /**
     * Reads a time. Each process reads all times of a record whenever somebody has changed it, and where it has just started a formatter takes ten
     * times as long as this does for a time as it is mostly written.
     */
    private static long millis(String time) {
        try {
            return time.length() == USUAL.length()
                    ? LocalDateTime.of(
                                                    number(time, 0, '-'),
                                                    number(time, 5, '-'),
                                                    number(time, 8, 'T'),
                                                    number(time, 11, ':'),
                                                    number(time, 14, ':'),
                                                    number(time, 17, '.'))
                                            .toEpochSecond(ZoneOffset.UTC)
                                    * 1000
                            + number(time, 20, 'Z')
                    : Instant.parse(time).toEpochMilli();
        } catch (DateTimeException | ArithmeticException notATime) {
            throw new IllegalArgumentException("Not a time of a record: " + time, notATime);
        }
    }

    /** Reads the digits from there up to the one character that has to follow in a usual time. */
    private static int number(String time, int from, char end) {
        int number = 0;
        int at = from;
        for (; USUAL.charAt(at) != end; at++) {
            int digit = Character.digit(time.charAt(at), 10);
            if (digit < 0) {
                throw new DateTimeException("No digit at " + at);
            }
            number = 10 * number + digit;
        }
        if (time.charAt(at) != end) {
            throw new DateTimeException("No " + end + " at " + at);
        }
        return number;
    }

    /** Lines of names and values, where a name may come more than once. */
    private static final class Lines {

        private final Map<String, List<String>> values = new LinkedHashMap<>();

        static Lines of(String text) {
            Lines read = new Lines();
            OneLine.parts(text, read::put);
            return read;
        }

        void put(String name, Object value) {
            values.computeIfAbsent(name, first -> new ArrayList<>()).add(value.toString());
        }

        String text() {
            StringBuilder text = new StringBuilder();
            values.forEach((name, all) -> all.forEach(value ->
                    text.append(name).append('=').append(OneLine.escaped(value)).append('\n')));
            return text.toString();
        }

        boolean has(String name) {
            return values.containsKey(name);
        }

        String get(String name) {
            List<String> all = all(name);
            if (all.isEmpty()) {
                throw new IllegalArgumentException("The record has no line " + name);
            }
            return all.get(0);
        }

        List<String> all(String name) {
            return values.getOrDefault(name, List.of());
        }

        int format() {
            long format = number("format");
            return format > Integer.MAX_VALUE ? Integer.MAX_VALUE : (int) format;
        }

        long number(String name) {
            return Long.parseLong(get(name));
        }

        /** Reads a token of an epoch, where zero stands for no grant. */
        long token(String name) {
            long token = number(name);
            return token == 0 ? token : new FencingToken(token).value();
        }

        /** Reads the length of a lease or a lock delay, which is a day at most. */
        long length(String name, Duration longest) {
            long length = number(name);
            if (length < 0 || length > longest.toMillis()) {
                throw new IllegalArgumentException("Not the length of a lease or a lock delay: " + name + "=" + length);
            }
            return length;
        }

        long time(String name) {
            return millis(get(name));
        }
    }
}
