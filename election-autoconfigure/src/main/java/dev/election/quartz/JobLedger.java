package dev.election.quartz;

import dev.election.FencingToken;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/** What this node knows and writes down of the jobs of one election during one leadership. */
final class JobLedger {

    private final FencingToken token;
    private final LeaderLog log;
    private final long retention;
    private final boolean complete;
    private final Map<String, SlotLedger> slots = new ConcurrentHashMap<>();
    private final Map<String, FiredSlots> fired = new ConcurrentHashMap<>();

    /** The schedulers that were taken over. Guarded by this. */
    private final Set<String> begun = new HashSet<>();

    /** The schedulers whose triggers need no look at what was missed any more. Guarded by this. */
    private final Set<String> open = new HashSet<>();

    /** The names of entries of triggers that have ended, the earliest first. Guarded by this. */
    private final Deque<Ended> ended = new ArrayDeque<>();

    /**
     * @param token of the leadership
     * @param log where to write
     * @param retention how long to remember a trigger that has ended, in milliseconds
     * @param complete whether nobody has ever fired what is not in the log
     */
    JobLedger(FencingToken token, LeaderLog log, long retention, boolean complete) {
        this.token = token;
        this.log = log;
        this.retention = retention;
        this.complete = complete;
    }

    FencingToken token() {
        return token;
    }

    /** Where to look for slots of that trigger that nobody has fired, {@code null} if that is not known. */
    @Nullable
    Long unsettledFrom(SlotLedger known, Trigger trigger, long now) {
        Long from = known.unsettledFrom(now);
        return from != null || !complete ? from : Long.valueOf(Times.millis(trigger.getStartTime()));
    }

    /** Forgets triggers of that scheduler that have ended, or are known no more, for so long that no slot can be missed. */
    void forgetAllBut(String scheduler, Set<TriggerKey> known, long now) {
        Set<String> names =
                known.stream().map(key -> EntryName.slots(scheduler, key)).collect(Collectors.toSet());
        Set<String> outdated = new HashSet<>();
        entries(EntryName.allSlots(scheduler)).forEach((name, entry) -> {
            Long from = SlotLedger.parse(entry).unsettledFrom(now);
            if (!names.contains(name) && (from == null || from < now - retention)) {
                outdated.add(name);
            }
        });
        if (!outdated.isEmpty()) {
            write(Map.of(), outdated);
        }
    }

    /** Whether that scheduler is to be taken over, which it is once. */
    synchronized boolean begin(String scheduler) {
        return begun.add(scheduler);
    }

    /** The slots of a trigger: as an earlier leader has left them, or those of one of which nothing is known. */
    SlotLedger slots(String scheduler, TriggerKey trigger) {
        String name = EntryName.slots(scheduler, trigger);
        SlotLedger known = slots.get(name);
        return known != null ? known : create(scheduler, name);
    }

    /** The slots of all triggers of a scheduler whose store nodes share. */
    FiredSlots fired(String scheduler) {
        return fired.computeIfAbsent(scheduler, name -> new FiredSlots(this, name, retention));
    }

    /** From here on triggers of which nothing is known may fire. Returns those that came too early before that. */
    synchronized List<TriggerKey> openRest(String scheduler, Collection<TriggerKey> triggers) {
        open.add(scheduler);
        return triggers.stream()
                .filter(trigger -> {
                    SlotLedger known = slots.get(EntryName.slots(scheduler, trigger));
                    return known != null && !known.isOpen();
                })
                .toList();
    }

    /** What earlier leaders have written and this one has not changed, of names that begin so. */
    Map<String, String> entries(String beginning) {
        Map<String, String> found = new HashMap<>();
        log.entries().forEach((name, value) -> {
            if (name.startsWith(beginning)) {
                found.put(name, value);
            }
        });
        return found;
    }

    /**
     * Writes down the slots of a trigger, and other things with them; the stage completes when the store has answered. One at a
     * time, so that of two slots that are fired at once the store learns the later state later.
     */
    synchronized CompletionStage<Void> write(
            String scheduler, TriggerKey trigger, long now, Map<String, String> others) {
        String name = EntryName.slots(scheduler, trigger);
        SlotLedger changed = slots(scheduler, trigger);
        Map<String, String> put = new HashMap<>(others);
        put.put(name, changed.format());
        Set<String> removed = outdated(now);
        removed.remove(name);
        if (changed.isOver()) {
            ended.add(new Ended(name, now));
        }
        return write(put, removed);
    }

    /** Writes down anything else; the stage completes when the store has answered. */
    CompletionStage<Void> write(Map<String, String> put, Collection<String> removed) {
        removed.forEach(slots::remove);
        return log.write(put, removed);
    }

    private synchronized SlotLedger create(String scheduler, String name) {
        return slots.computeIfAbsent(name, absent -> {
            String entry = log.entry(absent);
            SlotLedger ledger = entry == null ? new SlotLedger() : SlotLedger.parse(entry);
            return open.contains(scheduler) ? ledger.opened() : ledger;
        });
    }

    private Set<String> outdated(long now) {
        Set<String> names = new HashSet<>();
        while (!ended.isEmpty() && ended.peek().at < now - retention) {
            String name = ended.remove().name;
            SlotLedger ledger = slots.get(name);
            // The application may have given the same name to another trigger since.
            if (ledger == null || ledger.isOver()) {
                names.add(name);
            }
        }
        return names;
    }

    private record Ended(String name, long at) {}
}
