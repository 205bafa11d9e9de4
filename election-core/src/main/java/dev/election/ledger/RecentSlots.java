package dev.election.ledger;

import dev.election.FencingToken;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The latest slots that were run of the schedules of one scheduler whose nodes share a job store. The store says what is to be run, and in
 * most cases only once; a slot that it brings again is known from here. Other than in {@link ScheduleSlots} an earlier slot is not taken
 * for a settled one: it may have been handed back, or scheduled in the past.
 */
public final class RecentSlots {

    /** Of each schedule, the latest ones. */
    private static final int REMEMBERED = 64;

    private final LedgerEntries ledger;
    private final FencingToken token;
    private final String slotsOf;
    private final long retention;

    /** By the name of the schedule, the one that was recorded longest ago first. Guarded by this. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /**
     * @param ledger where to record
     * @param token of the leadership
     * @param slotsOf what the names of entries begin with
     * @param retention how long to remember the slots of a schedule that is not run, in milliseconds
     */
    RecentSlots(LedgerEntries ledger, FencingToken token, String slotsOf, long retention) {
        this.ledger = ledger;
        this.token = token;
        this.slotsOf = slotsOf;
        this.retention = retention;
        List<Map.Entry<String, Entry>> known = new ArrayList<>();
        ledger.below(slotsOf).forEach((schedule, value) -> {
            Entry entry = Entry.parse(value);
            if (entry != null) {
                known.add(Map.entry(schedule, entry));
            }
        });
        known.sort(Comparator.comparingLong(entry -> entry.getValue().recordedAt));
        known.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    }

    /** Asks to run a slot, which is refused if it was run before. */
    public synchronized boolean claim(String schedule, long slot) {
        Entry entry = entries.computeIfAbsent(schedule, absent -> new Entry());
        return !entry.slots.containsKey(slot) && entry.add(slot, token);
    }

    /** The same for a slot that was claimed in an earlier leadership and not run, which whoever has claimed it knows. */
    public synchronized boolean claimAfter(FencingToken earlier, String schedule, long slot) {
        Entry entry = entries.computeIfAbsent(schedule, absent -> new Entry());
        boolean isLeftOver = !earlier.equals(token) && earlier.equals(entry.slots.get(slot));
        return (isLeftOver || !entry.slots.containsKey(slot)) && entry.add(slot, token);
    }

    /** Takes a claim back: the slot was not run. */
    public synchronized void release(String schedule, long slot) {
        Entry entry = entries.get(schedule);
        if (entry != null) {
            entry.slots.remove(slot);
        }
    }

    /** Records the slots of a schedule; the stage completes, never by failing, when the store has answered or won't, with whether it has them now. */
    public synchronized CompletionStage<Boolean> record(String schedule, long now) {
        Entry entry = entries.remove(schedule);
        if (entry == null) {
            entry = new Entry();
        }
        entry.recordedAt = now;
        entries.put(schedule, entry);
        return ledger.write(Map.of(slotsOf + schedule, entry.format(token)), outdated(now));
    }

    private Set<String> outdated(long now) {
        Set<String> names = new HashSet<>();
        Iterator<Map.Entry<String, Entry>> earliest = entries.entrySet().iterator();
        while (earliest.hasNext()) {
            Map.Entry<String, Entry> entry = earliest.next();
            long recordedAt = entry.getValue().recordedAt;
            if (recordedAt == Entry.NEVER) {
                // Claimed a moment ago, or by a job that came to nothing.
                continue;
            }
            if (recordedAt >= now - retention) {
                break;
            }
            names.add(slotsOf + entry.getKey());
            earliest.remove();
        }
        return names;
    }

    /** As text: when it was recorded, under which token, and its slots, those that were claimed under that token with a mark. */
    private static final class Entry {

        static final long NEVER = Long.MAX_VALUE;

        private static final String UNDER_THAT_TOKEN = "*";

        /** And under which token each was claimed, as far as that is known. */
        private final NavigableMap<Long, @Nullable FencingToken> slots = new TreeMap<>();

        /** Until it is recorded it is not outdated. */
        private long recordedAt = NEVER;

        /** Returns {@code true}. */
        boolean add(long slot, FencingToken token) {
            slots.put(slot, token);
            if (slots.size() > REMEMBERED) {
                slots.pollFirstEntry();
            }
            return true;
        }

        static @Nullable Entry parse(String value) {
            String[] part = value.split(" ", 3);
            try {
                Entry entry = new Entry();
                entry.recordedAt = Long.parseLong(part[0]);
                FencingToken token = new FencingToken(Long.parseLong(part[1]));
                for (String slot : part[2].split(",", -1)) {
                    boolean isUnder = slot.endsWith(UNDER_THAT_TOKEN);
                    entry.slots.put(
                            Long.valueOf(isUnder ? slot.substring(0, slot.length() - 1) : slot),
                            isUnder ? token : null);
                }
                return entry;
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException notOurs) {
                return null;
            }
        }

        private String format(FencingToken token) {
            return recordedAt + " " + token + " "
                    + slots.entrySet().stream()
                            .map(slot -> slot.getKey() + (token.equals(slot.getValue()) ? UNDER_THAT_TOKEN : ""))
                            .collect(Collectors.joining(","));
        }
    }
}
