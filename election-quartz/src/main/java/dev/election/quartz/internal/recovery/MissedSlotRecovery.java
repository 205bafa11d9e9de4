package dev.election.quartz.internal.recovery;

import dev.election.ElectionConfigurationException;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.ScheduleSlots;
import dev.election.quartz.internal.rules.JobGuard;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.rules.SchedulerRules;
import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.Vetoed;
import dev.election.quartz.internal.store.Refiring;
import dev.election.quartz.internal.trigger.LedgerNames;
import dev.election.quartz.internal.trigger.MisfireInstruction;
import dev.election.quartz.internal.trigger.Missed;
import dev.election.quartz.internal.trigger.Schedule;
import dev.election.quartz.internal.trigger.Scheduling;
import dev.election.quartz.internal.trigger.Times;
import dev.election.quartz.internal.trigger.TriggerSlots;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.spi.OperableTrigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers the missed slots of one scheduler before the triggers of a new leader fire: finds the slots that nobody has fired, and has them
 * fired by triggers of their own. The triggers themselves stay as the application knows them, unless they stood still on standby.
 */
public final class MissedSlotRecovery {

    private static final Logger log = LoggerFactory.getLogger(MissedSlotRecovery.class);

    private final GuardedScheduler guarded;
    private final Scheduler scheduler;
    private final SchedulerRules rules;
    private final String election;
    private final SchedulerLedger ledger;
    private final Duration recoverWithin;
    private final InstantSource clock;
    private final QuartzObserver observer;
    private final List<GuardedScheduler.Task> losses = new ArrayList<>();

    /** Slots that are not run, by the reason. Logged at the end, like the following fields, in one line for each reason. */
    private final Map<String, TriggerSlots> lost = new LinkedHashMap<>();

    private final Map<String, TriggerSlots> caughtUp = new LinkedHashMap<>();

    /** The latest slots of earlier leaders that are yet to come by the clock of this node. */
    private final Map<TriggerKey, TriggerSlots> ahead = new LinkedHashMap<>();

    /**
     * @param guarded the scheduler
     * @param rules which election guards its jobs
     * @param election the one that this node leads now
     * @param ledger what is known of its jobs
     * @param observer observes recovered and lost slots
     */
    public MissedSlotRecovery(
            GuardedScheduler guarded,
            SchedulerRules rules,
            String election,
            SchedulerLedger ledger,
            QuartzObserver observer) {
        this.guarded = guarded;
        this.scheduler = guarded.scheduler();
        this.rules = rules;
        this.election = election;
        this.ledger = ledger;
        this.recoverWithin = guarded.recoverWithin();
        this.clock = guarded.clock();
        this.observer = observer;
    }

    /** Recovers jobs and missed slots, once in a leadership. Whatever fails, the triggers fire afterwards. */
    public void run() {
        if (!ledger.begin()) {
            return;
        }
        attempt("remove what is left over", this::removeLeftOver);
        attempt("recover jobs", () -> new JobRecovery(guarded, election, ledger, observer).run());
        attempt("look for missed slots", () -> triggers().forEach(this::settle));
        ledger.openRest();
        attempt("look for slots missed meanwhile", () -> triggers().stream()
                .filter(trigger -> ledger.isHeldBack(LedgerNames.schedule(trigger)))
                .forEach(this::settle));
        losses.forEach(loss -> attempt("count lost slots", loss));
        tell();
        attempt(
                "forget triggers",
                () -> ledger.forgetAllBut(
                        triggers().stream().map(LedgerNames::schedule).collect(Collectors.toSet()), clock.millis()));
    }

    /** Notes the next slot of each trigger, since the leader begins nothing new for a while, and may lead on. */
    public void interrupt() {
        attempt("note the next slots", () -> triggers()
                .forEach(key -> attempt("note the next slot of " + key, () -> {
                    Trigger trigger = scheduler.getTrigger(key);
                    if (trigger != null && trigger.getNextFireTime() != null && isOurs(trigger)) {
                        ledger.slots(LedgerNames.schedule(key)).interrupt(Times.millis(trigger.getNextFireTime()));
                    }
                })));
    }

    /** Catches up slots that the leader has vetoed before it led on, like slots that fall between two leaders. */
    public void resume() {
        attempt("look for slots missed meanwhile", () -> triggers().forEach(key -> {
            ScheduleSlots slots = ledger.slots(LedgerNames.schedule(key));
            Long from = slots.resume();
            if (from != null) {
                attempt("look for missed slots of " + key, () -> catchUp(key, slots, from, clock.millis()));
                slots.open();
            }
        }));
        tell();
    }

    /** Logs what has been found. */
    private void tell() {
        ahead.values().stream()
                .reduce(TriggerSlots::and)
                .ifPresent(slots -> log.warn(
                        "An earlier leader, whose clock is ahead of this node's, has fired {}. No trigger is fired again for the same"
                                + " time. Synchronize the clocks of the nodes",
                        slots));
        ahead.clear();
        caughtUp.forEach(
                (how, slots) -> log.info("Nobody fired {}: this leader of '{}' catches up {}", slots, election, how));
        caughtUp.clear();
        lost.forEach((why, slots) -> log.warn("This leader of '{}' does not fire {}: {}", election, slots, why));
        lost.clear();
    }

    /** The triggers that are scheduled here, and those that ended here with a vetoed firing. */
    private Set<TriggerKey> triggers() throws SchedulerException {
        Set<TriggerKey> keys = new LinkedHashSet<>(scheduler.getTriggerKeys(GroupMatcher.anyTriggerGroup()));
        keys.removeIf(key -> key.getGroup().equals(QuartzData.CATCH_UP_GROUP)
                || key.getGroup().equals(Scheduler.DEFAULT_RECOVERY_GROUP));
        keys.addAll(guarded.vetoed().of(election));
        return keys;
    }

    private void attempt(String what, GuardedScheduler.Task task) {
        try {
            task.run();
        } catch (Exception failure) {
            log.error("The new leader of '{}' could not {} of '{}'", election, what, guarded.name(), failure);
        }
    }

    /** Removes triggers by which this node caught up in an earlier leadership: by now other nodes may have fired their slots. */
    private void removeLeftOver() throws SchedulerException {
        GroupMatcher<TriggerKey> catchUps = GroupMatcher.triggerGroupEquals(QuartzData.CATCH_UP_GROUP);
        for (TriggerKey key : List.copyOf(scheduler.getTriggerKeys(catchUps))) {
            Trigger trigger = scheduler.getTrigger(key);
            if (trigger != null && isOurs(trigger)) {
                scheduler.unscheduleJob(key);
            }
        }
    }

    private void settle(TriggerKey key) {
        attempt("look for missed slots of " + key, () -> {
            Trigger trigger = scheduler.getTrigger(key);
            // It may have ended since the triggers were listed, whosever it was.
            if (trigger == null ? guarded.vetoed().find(key, election) == null : !isOurs(trigger)) {
                return;
            }
            ScheduleSlots slots = ledger.slots(LedgerNames.schedule(key));
            // Once for all that follows: a slot that becomes too old meanwhile would be neither caught up nor lost.
            long now = clock.millis();
            try {
                noteClocks(key, slots);
                if (trigger != null && !isPaused(key)) {
                    noteLost(key, new Schedule((OperableTrigger) trigger, calendar(trigger)), slots, now);
                }
                if (guarded.guard().standby() != null && trigger != null) {
                    position(key, slots, now);
                } else {
                    catchUp(key, slots, null, now);
                }
            } finally {
                slots.open();
            }
        });
    }

    /** Catches up, and does so again if the trigger has gone on meanwhile, since that firing was too early. */
    private void catchUp(TriggerKey key, ScheduleSlots slots, @Nullable Long begin, long now)
            throws SchedulerException {
        Long from = begin;
        int heldBack;
        do {
            heldBack = slots.heldBack();
            from = catchUpOnce(key, slots, from, now);
        } while (!slots.openUnlessMoreThan(heldBack));
    }

    /**
     * Looks for slots that were missed before the trigger goes on.
     *
     * @return where to look from if the trigger turns out to have gone on meanwhile
     */
    private @Nullable Long catchUpOnce(TriggerKey key, ScheduleSlots slots, @Nullable Long from, long now)
            throws SchedulerException {
        OperableTrigger trigger = (OperableTrigger) scheduler.getTrigger(key);
        JobDetail job = trigger == null ? null : scheduler.getJobDetail(trigger.getJobKey());
        Vetoed.Last last = guarded.vetoed().find(key, election);
        long end;
        if (trigger != null && job != null && trigger.getNextFireTime() != null) {
            end = Times.millis(trigger.getNextFireTime());
        } else if (last != null) {
            trigger = last.trigger();
            job = last.job();
            end = last.slot() + 1;
        } else if (trigger != null && job != null && trigger.getPreviousFireTime() != null) {
            // Its last slot is on the way to its thread, and will ask for itself.
            end = Times.millis(trigger.getPreviousFireTime());
        } else {
            return from;
        }
        slots.givenOutFrom(end);
        if (isPaused(key)) {
            return end;
        }
        Schedule schedule = new Schedule(trigger, calendar(trigger));
        Date first = firstMissed(schedule, from != null ? from : unsettledFrom(slots, trigger, now), now);
        if (first != null && Times.millis(first) < end) {
            OperableTrigger part = schedule.between(first, end);
            noteCatchUp(key, trigger, schedule.missed(first, end), part);
            schedule(key, part, first, slots, job);
        }
        return end;
    }

    /** Lets a trigger that stood still on standby go on with the first slot that nobody has fired. */
    private void position(TriggerKey key, ScheduleSlots slots, long now) throws SchedulerException {
        OperableTrigger trigger = (OperableTrigger) scheduler.getTrigger(key);
        if (trigger == null || trigger.getNextFireTime() == null || isPaused(key)) {
            return;
        }
        Schedule schedule = new Schedule(trigger, calendar(trigger));
        Date slot = firstMissed(schedule, unsettledFrom(slots, trigger, now), now);
        if (slot == null) {
            slot = schedule.firstFrom(now);
        } else if (Times.millis(slot) < now) {
            noteCatchUp(key, trigger, schedule.missed(slot, now), schedule.startingWith(slot));
        }
        if (slot == null) {
            scheduler.unscheduleJob(key);
        } else if (Times.millis(slot) != Times.millis(trigger.getNextFireTime())) {
            scheduler.rescheduleJob(key, schedule.startingWith(slot));
        }
    }

    private static @Nullable Long unsettledFrom(ScheduleSlots slots, Trigger trigger, long now) {
        return slots.unsettledFrom(Times.millis(trigger.getStartTime()), now);
    }

    /** Notes slots that are not looked for although nobody is known to have fired them. Counted when all triggers go on. */
    private void noteLost(TriggerKey key, Schedule schedule, ScheduleSlots slots, long now) {
        Long from = slots.unsettledFrom(now);
        long worth = now - recoverWithin.toMillis();
        long evident = Math.max(slots.provenFrom(), worth);
        // A trigger that stood still goes on only then, one that was vetoed at its next slot.
        long end = guarded.guard().standby() == null ? Math.min(evident, now) : evident;
        if (from == null || from >= end || recoverWithin.isZero()) {
            return;
        }
        String why = slots.provenFrom() < worth
                ? "older than " + ReadableDuration.of(recoverWithin) + " (election.quartz.recover-within)"
                : "from before or shortly after a restart or replacement of the store, which may have lost that they"
                        + " were fired";
        losses.add(() -> countLost(key, schedule.missed(from, end, slots::isSettled), why));
    }

    private void countLost(TriggerKey key, @Nullable Missed slots, String why) {
        if (slots != null) {
            observer.lost(guarded.name(), election, slots.count());
            lost.merge(why, new TriggerSlots(slots, key), TriggerSlots::and);
        }
    }

    private @Nullable Date firstMissed(Schedule schedule, @Nullable Long from, long now) {
        return from == null || recoverWithin.isZero()
                ? null
                : schedule.firstFrom(Math.max(from, now - recoverWithin.toMillis()));
    }

    private void schedule(TriggerKey missed, OperableTrigger trigger, Date first, ScheduleSlots slots, JobDetail job)
            throws SchedulerException {
        String name = missed + "@" + Times.millis(first) + "/" + ledger.token();
        trigger.setKey(new TriggerKey(name, QuartzData.CATCH_UP_GROUP));
        Refiring.noteCatchUp(trigger.getJobDataMap(), missed, election, ledger.token());
        slots.catchUp(name, Times.millis(first));
        Scheduling.again(scheduler, job, trigger);
    }

    /** Notes slots that are caught up, for one line for all triggers: the number of firings at once may surprise operators. */
    private void noteCatchUp(TriggerKey key, Trigger trigger, Missed missed, Trigger catchUp)
            throws SchedulerException {
        String how = guarded.whenFired() + ", by the misfire instruction " + MisfireInstruction.name(trigger) + ": "
                + MisfireInstruction.effect(catchUp);
        caughtUp.merge(how, new TriggerSlots(missed, key), TriggerSlots::and);
    }

    private boolean isOurs(Trigger trigger) throws SchedulerException {
        JobDetail job = scheduler.getJobDetail(trigger.getJobKey());
        try {
            JobGuard guard = job == null ? null : rules.guard(job, trigger);
            return guard != null && guard.election().equals(election);
        } catch (ElectionConfigurationException unguardable) {
            // It is vetoed whenever it fires, which is logged then.
            return false;
        }
    }

    private boolean isPaused(TriggerKey key) throws SchedulerException {
        return scheduler.getTriggerState(key) == Trigger.TriggerState.PAUSED;
    }

    private @Nullable Calendar calendar(Trigger trigger) throws SchedulerException {
        return trigger.getCalendarName() == null ? null : scheduler.getCalendar(trigger.getCalendarName());
    }

    private void noteClocks(TriggerKey key, ScheduleSlots slots) {
        Long last = slots.last();
        if (last != null && last > clock.millis() + 1000) {
            Date slot = Times.date(last);
            ahead.put(key, new TriggerSlots(new Missed(1, slot, slot), key));
        }
    }
}
