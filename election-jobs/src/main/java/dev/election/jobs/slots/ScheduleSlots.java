package dev.election.jobs.slots;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Records which slots of one schedule this leader and those before it have run. Nodes need not agree on the time for that: a slot is the
 * same one whenever a node's clock reaches it. Any number of threads may ask.
 */
public final class ScheduleSlots {

    /** Stands for the next slot where there is none. */
    public static final long NEVER = 0;

    /** The end of the name of a catch-up that is left to a successor. */
    private static final String ABANDONED = " (abandoned)";

    /** How many later slots may begin before a slower one, which is still recorded as open then. */
    private static final int REMEMBERED = 64;

    /** All slots up to this one are settled. */
    private long settled;

    /** Later slots that have been run. */
    private final NavigableSet<Long> run = new TreeSet<>();

    /** For some slots that have been run, the slot that was given out before: it may still be on the way to its thread, not claimed yet. */
    private final Map<Long, Long> previous = new HashMap<>();

    /** The first slot of each catch-up, by its name. */
    private final Map<String, Long> catchingUp = new HashMap<>();

    /** The first slot that is yet to come, or {@link #NEVER}. */
    private long upcoming;

    /** The slot that {@link #upcoming} follows. */
    private long latest = Long.MIN_VALUE;

    /** Whether a schedule without a record was never run. */
    private final boolean complete;

    /** The first slot of which it is certain that it would be known here if it had been run. */
    private long provenFrom = Long.MIN_VALUE;

    /** The first slot that was given out in this leadership, {@code null} if that is not known yet. */
    private @Nullable Long givenOutFrom;

    private boolean open;
    private int heldBack;

    /** The slots of all schedules of the job, {@code null} if the others don't count here. Locked after this. */
    private @Nullable JobSlots ofJob;

    /** Creates the slots of a schedule of which nothing is known. */
    public ScheduleSlots(boolean complete) {
        this(Long.MIN_VALUE, NEVER, complete);
    }

    private ScheduleSlots(long settled, long upcoming, boolean complete) {
        this.settled = settled;
        this.upcoming = upcoming;
        this.complete = complete;
    }

    public static ScheduleSlots parse(String entry) {
        return parse(entry, false);
    }

    /** Reads the record of an earlier leader; entries that can't be read count as unknown. */
    public static ScheduleSlots parse(String entry, boolean complete) {
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

    /** The text for a successor: what is settled, where to look for missed slots, and which of those after that were run. */
    public synchronized String format() {
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

    /** Joins the slots of the job's other schedules: it is not run again for a time for which one of them has run it. */
    public synchronized void ofJob(JobSlots all) {
        ofJob = all;
        tellJob();
    }

    private void tellJob() {
        if (ofJob != null) {
            ofJob.catchUp(this, catchingUp.values().stream().min(Long::compare).orElse(null));
        }
    }

    /** Sets the time from which on no record can have been lost. */
    public synchronized void proveFrom(long time) {
        provenFrom = time;
    }

    /** The first time from which on a slot that is not known to have been run was certainly not run. */
    public synchronized long provenFrom() {
        return provenFrom;
    }

    /**
     * Begins a new schedule at that time: earlier slots are not looked for. Does nothing if some leader has recorded the schedule before.
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

    /** Settles all slots up to that one: they are run, or will never be. */
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
     * The time from which on to look for slots that nobody has run, {@code null} if that is not known.
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

    /** The time from which on to look for slots by the records alone, which may be old ones; {@code null} if there is none. */
    public synchronized @Nullable Long unsettledFrom(long now) {
        if (settled == Long.MIN_VALUE) {
            return null;
        }
        return Math.max(settled + 1, upcoming == NEVER ? settled + 1 : Math.min(upcoming, now));
    }

    /** Whether nothing more is to come. */
    public synchronized boolean isOver() {
        return upcoming == NEVER && catchingUp.isEmpty();
    }

    /** Sets the first slot that is given out in this leadership: earlier ones are settled or caught up. */
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

    /**
     * Notes the slot with which the schedule goes on after that one, or {@link #NEVER}. The call for the latest slot counts, in whatever
     * order they come.
     */
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

    /** Begins a catch-up of that name, from that slot on. */
    public synchronized void catchUp(String by, long from) {
        catchingUp.put(by, from);
        tellJob();
    }

    /** Ends the catch-up of that name. Returns whether it was under way. */
    public synchronized boolean caughtUp(String by) {
        boolean was = catchingUp.remove(by) != null;
        tellJob();
        return was;
    }

    /** Leaves the catch-up of that name, which can't go on here, to a successor, from the same slot. */
    public synchronized void abandon(String by) {
        Long from = catchingUp.remove(by);
        if (from != null) {
            catchingUp.put(by + ABANDONED, from);
        }
    }

    /**
     * Leaves slots from the first one that has not begun in this leadership to a successor, since the leader begins nothing new, unless it
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
     * Takes back what was left to a successor, since the leader leads on. If that is anything, no slot can be claimed at its time until
     * this is opened again.
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

    /** The number of claims that came too early so far. */
    public synchronized int heldBack() {
        return heldBack;
    }

    /** Lets slots be claimed, unless more than so many came too early: the others are still to be caught up. */
    public synchronized boolean openUnlessMoreThan(int known) {
        open |= heldBack == known;
        return open;
    }

    public synchronized boolean isOpen() {
        return open;
    }

    /** Lets slots be claimed. */
    public synchronized ScheduleSlots open() {
        open = true;
        return this;
    }

    /** The outcome of a claim. */
    public enum Claim {
        /** The slot may be run, by the caller alone. */
        GRANTED,
        /** The runs of earlier leaders are not known yet. */
        TOO_EARLY,
        /** The slot was run before. */
        RUN_BEFORE
    }
}
