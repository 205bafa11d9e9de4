package dev.election.jobs.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Which slots of one schedule have been run by this leader and those before it. Nodes need not agree on the time for that: a slot is
 * the same one whenever a node's clock reaches it. Any number of threads may ask.
 */
public final class ScheduleSlots {

    /** In the place of the next slot: there is none. */
    public static final long NEVER = 0;

    /** At the end of the name of what goes on no more: a successor has to. */
    private static final String ABANDONED = " (abandoned)";

    /** How many later slots may begin before a slower one, which is still recorded as open then. */
    private static final int REMEMBERED = 64;

    /** All slots up to this one are settled. */
    private long settled;

    /** Later slots that have been run. */
    private final NavigableSet<Long> run = new TreeSet<>();

    /** Of some that have been run, the slot that was given out before it: it may still be on the way to its thread, not claimed yet. */
    private final Map<Long, Long> previous = new HashMap<>();

    /** Where catching up began, by the name of what does it. */
    private final Map<String, Long> catchingUp = new HashMap<>();

    /** The first slot that is yet to come, or {@link #NEVER}. */
    private long upcoming;

    /** The slot after which that is so. */
    private long latest = Long.MIN_VALUE;

    /** Whether nobody has run any slot if nothing is known. */
    private final boolean complete;

    /** The first slot of which it is certain that it would be known here if it had been run. */
    private long provenFrom = Long.MIN_VALUE;

    /** The first slot that was given out in this leadership, {@code null} if that is not known yet. */
    private @Nullable Long givenOutFrom;

    private boolean open;
    private int heldBack;

    /** Those of all schedules of the job, {@code null} if they don't count here. Locked after this. */
    private @Nullable JobSlots ofJob;

    /** Of a schedule of which nothing is known. */
    ScheduleSlots(boolean complete) {
        this(Long.MIN_VALUE, NEVER, complete);
    }

    private ScheduleSlots(long settled, long upcoming, boolean complete) {
        this.settled = settled;
        this.upcoming = upcoming;
        this.complete = complete;
    }

    static ScheduleSlots parse(String entry) {
        return parse(entry, false);
    }

    /** Reads the record of an earlier leader; entries that can't be read count as unknown. */
    static ScheduleSlots parse(String entry, boolean complete) {
        String[] part = entry.split(" ", 3);
        try {
            ScheduleSlots slots = new ScheduleSlots(Long.parseLong(part[0]), Long.parseLong(part[1]), complete);
            if (part.length > 2) {
                for (String slot : part[2].split(",", -1)) {
                    slots.run.add(Long.parseLong(slot));
                }
            }
            return slots;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException notOurs) {
            return new ScheduleSlots(complete);
        }
    }

    /** For a successor: what is settled, where it has to look for missed slots, and those among them that were run. */
    synchronized String format() {
        long earliest = LongStream.concat(catchingUp.values().stream().mapToLong(Long::longValue), delayed().stream())
                .min()
                .orElse(NEVER);
        // What is settled is never caught up again.
        long first = earliest == NEVER || settled == Long.MIN_VALUE ? earliest : Math.max(earliest, settled + 1);
        long floor = first != NEVER ? first - 1 : run.isEmpty() ? settled : run.last();
        String entry = floor + " " + (first != NEVER ? first : upcoming);
        NavigableSet<Long> above = run.tailSet(floor, false);
        return above.isEmpty()
                ? entry
                : entry + " " + above.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** The first slot that may be on the way to its thread although a later one has been run, if there is one. */
    private OptionalLong delayed() {
        long reached = settled;
        for (long slot : run) {
            Long before = previous.get(slot);
            if (before != null && before > reached) {
                return OptionalLong.of(reached == Long.MIN_VALUE ? before : reached + 1);
            }
            reached = slot;
        }
        return OptionalLong.empty();
    }

    /** The last slot that is known to have been run or settled, {@code null} if none is. */
    public synchronized @Nullable Long last() {
        return !run.isEmpty() ? run.last() : settled == Long.MIN_VALUE ? null : Long.valueOf(settled);
    }

    /** The job is not run for a time again for which another of its schedules has run it. */
    synchronized void ofJob(JobSlots all) {
        ofJob = all;
        tellJob();
    }

    private void tellJob() {
        if (ofJob != null) {
            ofJob.catchUp(this, catchingUp.values().stream().min(Long::compare).orElse(null));
        }
    }

    /** From that time on nothing that was recorded can have been lost. */
    synchronized void proveFrom(long time) {
        provenFrom = time;
    }

    /** The first time from which on a slot that is not known to have been run was certainly not run. */
    public synchronized long provenFrom() {
        return provenFrom;
    }

    /**
     * Begins at that time: what was before is not looked for. Does nothing if some leader has recorded the schedule before.
     *
     * @return whether it begins now
     */
    public synchronized boolean begin(long now) {
        boolean isNew = settled == Long.MIN_VALUE && run.isEmpty();
        if (isNew) {
            settled = now;
        }
        return isNew;
    }

    /** Takes a claim back: the slot was not run. */
    public synchronized void release(long slot) {
        run.remove(slot);
        previous.remove(slot);
        if (ofJob != null) {
            ofJob.remove(slot);
        }
    }

    /** Lets no slot be claimed at its time until this is opened again. */
    public synchronized void hold() {
        open = false;
    }

    /** All slots up to that one are run, or will never be. */
    public synchronized void settle(long slot) {
        settled = Math.max(settled, slot);
        run.headSet(slot, true).clear();
        previous.keySet().removeIf(known -> known <= slot);
    }

    /** Whether that slot is known to have been run or settled. */
    public synchronized boolean isSettled(long slot) {
        return slot <= settled || run.contains(slot) || (ofJob != null && ofJob.has(slot));
    }

    /**
     * Where to look for slots that nobody has run, {@code null} if that is not known.
     *
     * @param start when the schedule begins, from where on to look if nobody can have run any of its slots
     * @param now the latest to look from: the schedule may have been given other times since
     */
    public synchronized @Nullable Long unsettledFrom(long start, long now) {
        Long from = unsettledFrom(now);
        if (from == null) {
            from = complete ? start : null;
        }
        return from == null ? null : Long.valueOf(Math.max(from, provenFrom));
    }

    /** The same where nothing may be concluded from what is not recorded, and whether or not the records may be old ones. */
    public synchronized @Nullable Long unsettledFrom(long now) {
        if (settled == Long.MIN_VALUE) {
            return null;
        }
        return Math.max(settled + 1, upcoming == NEVER ? settled + 1 : Math.min(upcoming, now));
    }

    /** Whether nothing more is to come. */
    synchronized boolean isOver() {
        return upcoming == NEVER && catchingUp.isEmpty();
    }

    /** From that slot on slots are given out in this leadership: earlier ones are settled or caught up. */
    public synchronized void givenOutFrom(long slot) {
        givenOutFrom = slot;
    }

    /** Asks to run a slot at its time. */
    public Claim claim(long slot) {
        return claim(slot, null);
    }

    /**
     * Asks to run a slot at its time.
     *
     * @param before the slot that was given out before it, which may be claimed later; {@code null} if there is none
     */
    public synchronized Claim claim(long slot, @Nullable Long before) {
        if (!open) {
            heldBack++;
            return Claim.TOO_EARLY;
        }
        if (givenOutFrom == null) {
            givenOutFrom = slot;
        }
        return claimMissed(slot, before == null || before < givenOutFrom ? null : before);
    }

    /** Asks to run a slot that was missed. */
    public Claim claimMissed(long slot) {
        return claimMissed(slot, null);
    }

    /**
     * Asks to run a slot that was missed.
     *
     * @param before the missed slot that was given out before it, which may be claimed later; {@code null} if there is none
     */
    public synchronized Claim claimMissed(long slot, @Nullable Long before) {
        if (slot <= settled) {
            return Claim.RUN_BEFORE;
        }
        if (before != null) {
            previous.put(slot, before);
        }
        if (!run.add(slot)) {
            return Claim.RUN_BEFORE;
        }
        while (catchingUp.isEmpty() && run.size() > REMEMBERED) {
            settle(run.first());
        }
        return ofJob == null || ofJob.add(slot) ? Claim.GRANTED : Claim.RUN_BEFORE;
    }

    /** After that slot the schedule goes on with the next, or {@link #NEVER}. Of two that overtook each other the later one tells. */
    public synchronized void goesOn(long slot, long next) {
        if (slot >= latest) {
            latest = slot;
            upcoming = next;
        }
    }

    /** The slot that the schedule goes on with, or {@link #NEVER}. */
    public synchronized long upcoming() {
        return upcoming;
    }

    /** Slots from that one on are caught up by what has that name. */
    public synchronized void catchUp(String by, long from) {
        catchingUp.put(by, from);
        tellJob();
    }

    /** What has that name has caught up. Returns whether it was still doing so. */
    public synchronized boolean caughtUp(String by) {
        boolean was = catchingUp.remove(by) != null;
        tellJob();
        return was;
    }

    /** What has that name can't go on to catch up: a successor has to, from the same slot. */
    public synchronized void abandon(String by) {
        Long from = catchingUp.remove(by);
        if (from != null) {
            catchingUp.put(by + ABANDONED, from);
        }
    }

    /**
     * The leader begins nothing new for a while. Slots from the first one that has not begun in this leadership are left to a successor, unless it
     * {@linkplain #resume leads on}.
     *
     * @param next the slot with which the schedule goes on
     */
    public synchronized void interrupt(long next) {
        long first = givenOutFrom == null ? next : Math.min(next, Math.max(givenOutFrom, upcoming));
        catchingUp.merge("hand-over" + ABANDONED, first, Math::min);
        tellJob();
    }

    /**
     * The leader leads on. No slot can be claimed at its time until this is opened again.
     *
     * @return from where on slots were left to a successor, {@code null} if none were
     */
    public synchronized @Nullable Long resume() {
        Long first = null;
        for (Map.Entry<String, Long> left : catchingUp.entrySet()) {
            if (left.getKey().endsWith(ABANDONED)) {
                first = first == null ? left.getValue() : Long.valueOf(Math.min(first, left.getValue()));
            }
        }
        if (first != null) {
            open = false;
            catchingUp.keySet().removeIf(name -> name.endsWith(ABANDONED));
            tellJob();
        }
        return first;
    }

    /** How many claims came too early so far. */
    public synchronized int heldBack() {
        return heldBack;
    }

    /** Lets slots be claimed, unless more than so many came too early: the others are still to be caught up. */
    public synchronized boolean openUnlessMoreThan(int known) {
        open |= heldBack == known;
        return open;
    }

    synchronized boolean isOpen() {
        return open;
    }

    /** Lets slots be claimed. */
    public synchronized ScheduleSlots open() {
        open = true;
        return this;
    }

    /** The outcome of a claim. */
    public enum Claim {
        /** It may be run, by whoever asked and nobody else. */
        GRANTED,
        /** It is not known yet what earlier leaders have run. */
        TOO_EARLY,
        /** It was run before. */
        RUN_BEFORE
    }
}
