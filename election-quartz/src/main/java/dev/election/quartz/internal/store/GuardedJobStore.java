package dev.election.quartz.internal.store;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.quartz.internal.scheduler.FiringsUnderWay;
import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.core.QuartzScheduler;
import org.quartz.core.QuartzSchedulerResources;
import org.quartz.spi.JobStore;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredBundle;
import org.quartz.spi.TriggerFiredResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ReflectionUtils;

/**
 * A job store that nodes share, as the scheduler of one of them sees it: closed while this node does not lead. A process that was
 * paused for longer than the cluster waits for it goes on with a trigger that it read before the pause. Quartz checks that somebody
 * has acquired that trigger, not who, and would fire it and set its next time back for all nodes.
 *
 * <p>A leader that resigns acquires and fires nothing more, and waits for what the store has given out. Leadership is asked for from
 * memory, where it ends by itself during the pause. Firings that the scheduler gives up or completes after that reach the store only if the
 * cluster has left them to this node: otherwise they would be taken from the next leader.
 *
 * <p>Where no job can be made for a firing, Quartz puts all triggers of that job into an error state, in which no node fires them until
 * somebody resets them. A node whose context is being closed makes no jobs. So what fails on a node that leads no more is given back instead.
 */
public final class GuardedJobStore implements InvocationHandler {

    private static final Logger log = LoggerFactory.getLogger(GuardedJobStore.class);

    private final JobStore store;
    private final Supplier<Optional<Election>> election;
    private final Runnable answered;
    private final Predicate<String> isRecorded;
    private final FiringsUnderWay underWay;
    private final BiConsumer<JobDetail, OperableTrigger> giveBack;

    /** The token under which the scheduler acquired each firing that it has not completed yet, by the name of the record. */
    private final Map<String, FencingToken> acquiredUnder = new ConcurrentHashMap<>();

    /**
     * @param election the one whose leader may use the store, empty while this node does not take part in it
     * @param answered run when the store has given out what was acquired
     * @param isRecorded whether the cluster still has the record of that firing, and so no other node has taken it over
     * @param underWay where firings are noted that the store has given out
     * @param giveBack has the next leader fire what was fired for that job here and did not begin
     */
    GuardedJobStore(
            JobStore store,
            Supplier<Optional<Election>> election,
            Runnable answered,
            Predicate<String> isRecorded,
            FiringsUnderWay underWay,
            BiConsumer<JobDetail, OperableTrigger> giveBack) {
        this.store = store;
        this.election = election;
        this.answered = answered;
        this.isRecorded = isRecorded;
        this.underWay = underWay;
        this.giveBack = giveBack;
    }

    /**
     * Keeps a scheduler from a store that it shares with the leader while this node is not the leader. Puts the guard between the two before
     * the scheduler is started: Quartz has no setting for that which would not replace a store of the application's choice.
     */
    public static void install(GuardedScheduler guarded, QuartzObserver observer) {
        String standby = guarded.guard().standby();
        if (!guarded.guard().shared() || standby == null) {
            return;
        }
        HandBack handBack = new HandBack(guarded, observer);
        try {
            QuartzSchedulerResources resources = resources(guarded.scheduler());
            JobStore store = resources.getJobStore();
            FiringRecords records = FiringRecords.of(store, guarded.name());
            resources.setJobStore((JobStore) Proxy.newProxyInstance(
                    JobStore.class.getClassLoader(),
                    new Class<?>[] {JobStore.class},
                    new GuardedJobStore(
                            store,
                            () -> guarded.elections().find(standby),
                            records::check,
                            id -> isRecorded(guarded, records, id),
                            guarded.underWay(),
                            (job, fired) -> handBack.neverBegun(job, fired, standby))));
        } catch (ReflectiveOperationException | RuntimeException failure) {
            log.warn(
                    "Quartz scheduler '{}': the job store can't be guarded. After a pause that is longer than"
                            + " org.quartz.jobStore.clusterCheckinInterval, this process may set the next fire time of a trigger back, so that slots"
                            + " are fired again",
                    guarded.name(),
                    failure);
        }
    }

    /**
     * Asks whether a firing is still recorded, until the database answers: others may have taken the firing over, and Quartz would end it
     * for them.
     */
    private static boolean isRecorded(GuardedScheduler guarded, FiringRecords records, String id) {
        AtomicBoolean found = new AtomicBoolean();
        return guarded.insist("look for the record of a firing", () -> found.set(records.has(id)), () -> true)
                && found.get();
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        return switch (method.getName()) {
            case "acquireNextTriggers" -> acquire(method, given(arguments));
            case "triggersFired" -> fire(method, given(arguments));
            case "releaseAcquiredTrigger", "triggeredJobComplete" -> end(method, given(arguments));
            default -> pass(method, arguments);
        };
    }

    private @Nullable Object acquire(Method method, Object[] arguments) throws Throwable {
        LeaderWork work = beginWork();
        if (work == null) {
            return new ArrayList<OperableTrigger>();
        }
        // Not while it waits for the database: what is acquired is asked for again before it is fired.
        work.close();
        Object acquired = pass(method, arguments);
        answered.run();
        triggers(acquired).forEach(trigger -> acquiredUnder.put(trigger.getFireInstanceId(), work.token()));
        return acquired;
    }

    /** Fires triggers if this node still leads. Otherwise it returns no bundle, and Quartz gives the triggers up. */
    private @Nullable Object fire(Method method, Object[] arguments) throws Throwable {
        List<OperableTrigger> triggers = triggers(arguments[0]);
        Map<String, LeaderWork> works = new HashMap<>();
        try {
            if (beginAll(triggers, works)) {
                Object fired = pass(method, arguments);
                bundles(fired).forEach(bundle -> {
                    String id = bundle.getTrigger().getFireInstanceId();
                    LeaderWork work = works.remove(id);
                    if (work != null) {
                        underWay.begin(id, work);
                    }
                });
                return fired;
            }
        } finally {
            works.values().forEach(LeaderWork::close);
        }
        List<TriggerFiredResult> nothing = new ArrayList<>();
        triggers.forEach(trigger -> nothing.add(new TriggerFiredResult((TriggerFiredBundle) null)));
        log.debug("Not fired, since this node does not lead any more or is about to: {}", arguments[0]);
        return nothing;
    }

    /** Begins leader work for each of them. Returns whether all were acquired in this leadership, and it goes on. */
    private boolean beginAll(List<OperableTrigger> triggers, Map<String, LeaderWork> works) {
        for (OperableTrigger trigger : triggers) {
            FencingToken token = acquiredUnder.get(trigger.getFireInstanceId());
            LeaderWork work = beginWork();
            if (work == null) {
                return false;
            }
            works.put(trigger.getFireInstanceId(), work);
            if (!work.token().equals(token)) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Object end(Method method, Object[] arguments) throws Throwable {
        OperableTrigger trigger = (OperableTrigger) arguments[0];
        String record = trigger.getFireInstanceId();
        underWay.end(record);
        if (isOurs(acquiredUnder.remove(record))) {
            return pass(method, arguments);
        }
        boolean isOwn = isRecorded.test(record);
        Object[] completion = hasNoJob(arguments) ? givenBack(trigger, (JobDetail) arguments[1], isOwn) : arguments;
        if (isOwn) {
            return pass(method, completion);
        }
        log.debug(
                "{} of {} is left out: the cluster has taken it over from this node",
                method.getName(),
                trigger.getKey());
        return null;
    }

    private static boolean hasNoJob(Object[] arguments) {
        return arguments[arguments.length - 1] == CompletedExecutionInstruction.SET_ALL_JOB_TRIGGERS_ERROR;
    }

    /**
     * Gives a firing back before its completion, so that a process which ends in between leaves the slot in the store. Not if another node
     * has taken over a job that requests recovery: that node runs it.
     */
    private Object[] givenBack(OperableTrigger trigger, JobDetail job, boolean isOwn) {
        if (isOwn || !job.requestsRecovery()) {
            giveBack.accept(job, trigger);
        }
        CompletedExecutionInstruction asIfRun = trigger.mayFireAgain()
                ? CompletedExecutionInstruction.NOOP
                : CompletedExecutionInstruction.DELETE_TRIGGER;
        return new Object[] {trigger, job, asIfRun};
    }

    /** Whether this node has led without a break since a firing was acquired. */
    private boolean isOurs(@Nullable FencingToken acquiredUnder) {
        return acquiredUnder != null
                && election.get()
                        .flatMap(Election::leadership)
                        .filter(leadership -> leadership.token().equals(acquiredUnder))
                        .isPresent();
    }

    /** Begins leader work; {@code null} if this node does not lead, or is about to give its leadership up. */
    private @Nullable LeaderWork beginWork() {
        return election.get().flatMap(Election::beginWork).orElse(null);
    }

    private static List<OperableTrigger> triggers(@Nullable Object list) {
        return list == null
                ? List.of()
                : ((List<?>) list).stream().map(OperableTrigger.class::cast).toList();
    }

    private static List<TriggerFiredBundle> bundles(@Nullable Object results) {
        return results == null
                ? List.of()
                : ((List<?>) results)
                        .stream()
                                .map(result -> ((TriggerFiredResult) result).getTriggerFiredBundle())
                                .filter(Objects::nonNull)
                                .toList();
    }

    private static Object[] given(Object @Nullable [] arguments) {
        return Objects.requireNonNull(arguments);
    }

    private @Nullable Object pass(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    private static QuartzSchedulerResources resources(Scheduler scheduler) throws ReflectiveOperationException {
        QuartzScheduler core = value(scheduler, QuartzScheduler.class);
        return value(core, QuartzSchedulerResources.class);
    }

    private static <T> T value(Object owner, Class<T> type) throws ReflectiveOperationException {
        Field field = ReflectionUtils.findField(owner.getClass(), null, type);
        if (field == null) {
            throw new NoSuchFieldException(owner.getClass().getName() + " has no " + type.getSimpleName());
        }
        ReflectionUtils.makeAccessible(field);
        return type.cast(field.get(owner));
    }
}
