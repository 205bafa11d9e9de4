package dev.election.jobs.internal;

import dev.election.FencingToken;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Predicate;
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

    /** How many there were in this leadership. Guarded by this. */
    private long claims;

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
    public boolean claim(String schedule, long slot) {
        return claim(schedule, slot, Set.of());
    }

    /**
     * The same for one that was claimed before and not run.
     *
     * @param unused those claims of it that are known not to have led to a run, see {@link #claimOf}
     */
    public boolean claim(String schedule, long slot, Collection<String> unused) {
        return claim(schedule, slot, before -> before.isKnown() && unused.contains(before.text()));
    }

    /** Asks to run again what an earlier leader has run, which is refused if this one has run it: then that run goes on. */
    public boolean claimRerun(String schedule, long slot) {
        return claim(schedule, slot, before -> !before.isOf(token));
    }

    /** Replaces the claim before, if there is one and it may be replaced. */
    private synchronized boolean claim(String schedule, long slot, Predicate<Claim> mayReplace) {
        Entry entry = entries.computeIfAbsent(schedule, absent -> new Entry());
        Claim before = entry.slots.get(slot);
        boolean granted = before == null || mayReplace.test(before);
        if (granted) {
            claims++;
            entry.add(slot, new Claim(token.value(), claims));
        }
        return granted;
    }

    /** The claim of a slot that counts, unlike any other claim; empty if it is not known, as of one that an earlier leader than the last has made. */
    public synchronized Optional<String> claimOf(String schedule, long slot) {
        Entry entry = entries.get(schedule);
        Claim claim = entry == null ? null : entry.slots.get(slot);
        return Optional.ofNullable(claim).filter(Claim::isKnown).map(Claim::text);
    }

    /** Takes a claim back: the slot was not run. */
    public synchronized void release(String schedule, long slot) {
        Entry entry = entries.get(schedule);
        if (entry != null) {
            entry.slots.remove(slot);
        }
    }

    /** Records the slots of a schedule; the stage completes, never by failing, when the store has answered or won't, with whether it has them now. */
    public CompletionStage<Boolean> record(String schedule, long now) {
        return record(schedule, now, ledger::write);
    }

    /** The same for what a job must not begin without: the store does it within a second or not at all. */
    public CompletionStage<Boolean> recordClaim(String schedule, long now) {
        return record(schedule, now, (put, removed) -> ledger.claim(put, removed, Set.of()));
    }

    private synchronized CompletionStage<Boolean> record(
            String schedule, long now, BiFunction<Map<String, String>, Set<String>, CompletionStage<Boolean>> write) {
        Entry entry = entries.remove(schedule);
        if (entry == null) {
            entry = new Entry();
        }
        entry.recordedAt = now;
        entries.put(schedule, entry);
        return write.apply(Map.of(slotsOf + schedule, entry.format(token)), outdated(now));
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

    /**
     * That a slot is run.
     *
     * @param token of the leader that claimed it
     * @param number which of its claims
     */
    private record Claim(long token, long number) {

        /** One that an earlier leader than the last has made. */
        static final Claim UNKNOWN = new Claim(0, 0);

        boolean isKnown() {
            return !equals(UNKNOWN);
        }

        boolean isOf(FencingToken leadership) {
            return token == leadership.value();
        }

        String text() {
            return token + "." + number;
        }
    }

    /** As text: when it was recorded, under which token, and its slots, those that were claimed under that token with the number of the claim. */
    private static final class Entry {

        private static final long NEVER = Long.MAX_VALUE;
        private static final String CLAIM = "*";

        /** With the claim of each. */
        private final NavigableMap<Long, Claim> slots = new TreeMap<>();

        /** Until it is recorded it is not outdated. */
        private long recordedAt = NEVER;

        static @Nullable Entry parse(String value) {
            String[] part = value.split(" ", 3);
            try {
                Entry entry = new Entry();
                entry.recordedAt = Long.parseLong(part[0]);
                for (String slot : part[2].split(",", -1)) {
                    String[] claimed = slot.split("\\*", 2);
                    Claim claim = claimed.length > 1
                            ? new Claim(Long.parseLong(part[1]), Long.parseLong(claimed[1]))
                            : Claim.UNKNOWN;
                    entry.slots.put(Long.valueOf(claimed[0]), claim);
                }
                return entry;
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException notOurs) {
                return null;
            }
        }

        private void add(long slot, Claim claim) {
            slots.put(slot, claim);
            if (slots.size() > REMEMBERED) {
                slots.pollFirstEntry();
            }
        }

        private String format(FencingToken token) {
            return recordedAt + " " + token + " "
                    + slots.entrySet().stream()
                            .map(slot -> slot.getKey()
                                    + (slot.getValue().isOf(token)
                                            ? CLAIM + slot.getValue().number()
                                            : ""))
                            .collect(Collectors.joining(","));
        }
    }
}
