package dev.election.quartz;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;

/**
 * The latest slots that were fired of the triggers of one scheduler whose job store nodes share. The store says what is to be fired,
 * and in most cases only once; a slot that it brings again is known from here. Other than in a {@link SlotLedger} an earlier slot is
 * not taken for a settled one: it may have been handed back, or scheduled in the past.
 */
final class FiredSlots {

    /** Of each trigger, the latest ones. */
    private static final int REMEMBERED = 64;

    private final JobLedger ledger;
    private final String scheduler;
    private final long retention;

    /** By the name of the entry, the one that was written longest ago first. Guarded by this. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /**
     * @param ledger where to write
     * @param scheduler its name
     * @param retention how long to remember the slots of a trigger that does not fire, in milliseconds
     */
    FiredSlots(JobLedger ledger, String scheduler, long retention) {
        this.ledger = ledger;
        this.scheduler = scheduler;
        this.retention = retention;
        List<Map.Entry<String, Entry>> known = new ArrayList<>();
        ledger.entries(EntryName.allFired(scheduler)).forEach((name, value) -> {
            Entry entry = Entry.parse(value);
            if (entry != null) {
                known.add(Map.entry(name, entry));
            }
        });
        known.sort(Comparator.comparingLong(entry -> entry.getValue().writtenAt));
        known.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    }

    /** Asks to fire a slot, which is refused if it was fired before. */
    synchronized boolean claim(TriggerKey trigger, long slot) {
        Entry entry = entries.computeIfAbsent(EntryName.fired(scheduler, trigger), absent -> new Entry());
        boolean granted = entry.slots.add(slot);
        if (entry.slots.size() > REMEMBERED) {
            entry.slots.pollFirst();
        }
        return granted;
    }

    /** Writes down the slots of a trigger; the stage completes when the store has answered. */
    synchronized CompletionStage<Void> write(TriggerKey trigger, long now) {
        String name = EntryName.fired(scheduler, trigger);
        Entry entry = entries.remove(name);
        if (entry == null) {
            entry = new Entry();
        }
        entry.writtenAt = now;
        entries.put(name, entry);
        Map<String, String> put = new HashMap<>();
        put.put(name, entry.format());
        return ledger.write(put, outdated(now));
    }

    private Set<String> outdated(long now) {
        Set<String> names = new HashSet<>();
        Iterator<Map.Entry<String, Entry>> earliest = entries.entrySet().iterator();
        while (earliest.hasNext()) {
            Map.Entry<String, Entry> entry = earliest.next();
            long writtenAt = entry.getValue().writtenAt;
            if (writtenAt == Entry.NEVER) {
                // Claimed a moment ago, or by a firing that came to nothing.
                continue;
            }
            if (writtenAt >= now - retention) {
                break;
            }
            names.add(entry.getKey());
            earliest.remove();
        }
        return names;
    }

    private static final class Entry {

        static final long NEVER = Long.MAX_VALUE;

        private final NavigableSet<Long> slots = new TreeSet<>();

        /** Until it is written it is not outdated. */
        private long writtenAt = NEVER;

        static @Nullable Entry parse(String value) {
            String[] part = value.split(" ", 2);
            try {
                Entry entry = new Entry();
                entry.writtenAt = Long.parseLong(part[0]);
                for (String slot : part[1].split(",", -1)) {
                    entry.slots.add(Long.parseLong(slot));
                }
                return entry;
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException notOurs) {
                return null;
            }
        }

        private String format() {
            return writtenAt + " " + slots.stream().map(String::valueOf).collect(Collectors.joining(","));
        }
    }
}
