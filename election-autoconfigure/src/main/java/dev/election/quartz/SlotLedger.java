package dev.election.quartz;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which slots of a trigger, told apart by their scheduled fire times, have been fired by this leader and those before it. Nodes
 * need not agree on the time for that: a slot is the same one whenever a node's clock reaches it.
 */
final class SlotLedger {

    static final long NEVER = 0;

    /** How many later slots may begin before a slower one, which is still recorded as open then. */
    private static final int REMEMBERED = 64;

    /** All slots up to this one are settled. */
    private long settled;

    /** Later slots that have been fired. */
    private final NavigableSet<Long> fired = new TreeSet<>();

    /** Where catching up began, by the name of the trigger that does it. */
    private final Map<String, Long> catchingUp = new HashMap<>();

    /** The first slot that is yet to come, or {@link #NEVER}. */
    private long upcoming;

    /** The slot after which that is so. */
    private long latest = Long.MIN_VALUE;

    private boolean open;
    private int heldBack;

    /** Of a trigger of which nothing is known. */
    SlotLedger() {
        this(Long.MIN_VALUE, NEVER);
    }

    private SlotLedger(long settled, long upcoming) {
        this.settled = settled;
        this.upcoming = upcoming;
    }

    /** What an earlier leader has written; of what can't be read nothing is known. */
    static SlotLedger parse(String entry) {
        String[] part = entry.split(" ", 3);
        try {
            SlotLedger ledger = new SlotLedger(Long.parseLong(part[0]), Long.parseLong(part[1]));
            if (part.length > 2) {
                for (String slot : part[2].split(",", -1)) {
                    ledger.fired.add(Long.parseLong(slot));
                }
            }
            return ledger;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException notOurs) {
            return new SlotLedger();
        }
    }

    /** For a successor: what is settled, where it has to look for missed slots, and the fired ones among those. */
    synchronized String format() {
        long first = catchingUp.values().stream().min(Long::compare).orElse(NEVER);
        long floor = first != NEVER ? first - 1 : fired.isEmpty() ? settled : fired.last();
        String entry = floor + " " + (first != NEVER ? first : upcoming);
        NavigableSet<Long> above = fired.tailSet(floor, false);
        return above.isEmpty()
                ? entry
                : entry + " " + above.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** The last slot that is known to have been fired or settled, {@code null} if none is. */
    synchronized @Nullable Long last() {
        return !fired.isEmpty() ? fired.last() : settled == Long.MIN_VALUE ? null : Long.valueOf(settled);
    }

    /**
     * Where to look for slots that nobody has fired, {@code null} if nothing is known. Never later than now: the trigger may have
     * been given other times since.
     */
    synchronized @Nullable Long unsettledFrom(long now) {
        if (settled == Long.MIN_VALUE) {
            return null;
        }
        return Math.max(settled + 1, upcoming == NEVER ? settled + 1 : Math.min(upcoming, now));
    }

    /** Whether nothing more is to come. */
    synchronized boolean isOver() {
        return upcoming == NEVER && catchingUp.isEmpty();
    }

    /** Asks to fire a slot at its time. */
    synchronized Claim claim(long slot) {
        if (!open) {
            heldBack++;
            return Claim.TOO_EARLY;
        }
        return claimMissed(slot);
    }

    /** Asks to fire a slot that was missed. */
    synchronized Claim claimMissed(long slot) {
        if (slot <= settled || !fired.add(slot)) {
            return Claim.FIRED_BEFORE;
        }
        while (catchingUp.isEmpty() && fired.size() > REMEMBERED) {
            settled = fired.pollFirst();
        }
        return Claim.GRANTED;
    }

    /** After that slot the trigger goes on with the next, or never. Of two that overtook each other the later one tells. */
    synchronized void goesOn(long slot, long next) {
        if (slot >= latest) {
            latest = slot;
            upcoming = next;
        }
    }

    /** Slots from that one on are caught up by that trigger. */
    synchronized void catchUp(String trigger, long from) {
        catchingUp.put(trigger, from);
    }

    /** Whether that trigger was still catching up. */
    synchronized boolean caughtUp(String trigger) {
        return catchingUp.remove(trigger) != null;
    }

    /** That trigger could not go on: a successor has to catch up from the same slot. */
    synchronized void abandon(String trigger) {
        Long from = catchingUp.remove(trigger);
        if (from != null) {
            catchingUp.put(trigger + " (abandoned)", from);
        }
    }

    /** How many firings came too early so far. */
    synchronized int heldBack() {
        return heldBack;
    }

    /** Lets slots be claimed, unless more than so many came too early: the others are still to be caught up. */
    synchronized boolean openUnlessMoreThan(int known) {
        open |= heldBack == known;
        return open;
    }

    synchronized boolean isOpen() {
        return open;
    }

    synchronized SlotLedger opened() {
        open = true;
        return this;
    }

    /** What comes of a claim. */
    enum Claim {
        /** It may be fired, by whoever asked and nobody else. */
        GRANTED,
        /** It is not known yet what earlier leaders have fired. */
        TOO_EARLY,
        /** It was fired before. */
        FIRED_BEFORE
    }
}
