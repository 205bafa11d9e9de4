package dev.election.jobs.ledger;

import dev.election.FencingToken;
import dev.election.jobs.slots.ScheduleSlots;
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
 * The latest slots that were run of the schedules of one scheduler whose nodes share a job store. The store says what is to be run, in most
 * cases once; a slot that it gives out again is refused here. Unlike in {@link ScheduleSlots}, an earlier slot does not count as settled:
 * it may have been handed back, or scheduled in the past.
 */
public final class RecentSlots {

    /** Slots that are remembered of each schedule, the latest ones. */
    private static final int REMEMBERED = 64;

    private final Ledger ledger;
    private final FencingToken token;
    private final String slotsOf;
    private final long retention;

    /** Entries by the name of the schedule, the one that was recorded longest ago first. Guarded by this. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** The number of claims in this leadership. Guarded by this. */
    private long claims;

    /**
     * @param ledger where to record
     * @param token of the leadership
     * @param slotsOf what the names of entries begin with
     * @param retention how long to remember the slots of a schedule that is not run, in milliseconds
     */
    RecentSlots(Ledger ledger, FencingToken token, String slotsOf, long retention) {
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
     * Asks to run a slot that may have been claimed before and not run.
     *
     * @param unused those claims of it that are known not to have led to a run, see {@link #claimOf}
     */
    public boolean claim(String schedule, long slot, Collection<String> unused) {
        return claim(schedule, slot, before -> before.isKnown() && unused.contains(before.text()));
    }

    /** Asks to run a slot again that an earlier leader has run. Refused if this leader has run it: that run goes on. */
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

    /**
     * The text of a slot's present claim, which no other claim has; empty if it is not known, such as that of a leader before the last one.
     */
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

    /**
     * Records the slots of a schedule before a job begins: the store does it within a second or not at all. Completes like
     * {@link #record(String, long)}.
     */
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
     * The claim of a slot by a leader.
     *
     * @param token of the leader that claimed it
     * @param number which of its claims
     */
    private record Claim(long token, long number) {

        /** A claim by a leader before the last one, whose token is not recorded. */
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

    /**
     * The slots of one schedule. Its text: when it was recorded, under which token, and the slots; one that was claimed under that token
     * has the number of the claim.
     */
    private static final class Entry {

        private static final long NEVER = Long.MAX_VALUE;
        private static final String CLAIM = "*";

        /** Slots with their claims. */
        private final NavigableMap<Long, Claim> slots = new TreeMap<>();

        /** When the entry was recorded; before that it is not outdated. */
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
