package dev.election.spring.scheduling;

import static java.util.Objects.requireNonNullElse;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.ledger.Ledger;
import dev.election.jobs.ledger.LedgerUser;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.jobs.slots.SlotClaim;
import dev.election.spring.calls.JobGate;
import dev.election.spring.calls.JobTerms;
import dev.election.spring.internal.slot.CronSchedule;
import dev.election.spring.internal.slot.SlotCall;
import dev.election.spring.internal.slot.SlotTaskScheduler;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;

/** The guarded methods of a context that are called by cron expressions, where missed slots are recovered. */
public final class ScheduledJobs implements JobGate, LedgerUser, SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(ScheduledJobs.class);

    /** Runs of schedules that are gone are remembered for so much longer than they could be run again. */
    private static final Duration GONE = Duration.ofDays(1);

    /** The name of their part of the ledgers, which no Quartz scheduler has there. */
    private static final String LEDGER = "scheduled";

    private final SharedLedgers ledgers;
    private final ScheduledMethods methods;
    private final Function<String, Object> beans;
    private final Duration recoverWithin;
    private final Supplier<JobObserver> observer;
    private final JobHistory history;
    private final Map<String, ScheduledJob> jobs = new ConcurrentHashMap<>();
    private final Map<String, SpacedJob> spaced = new ConcurrentHashMap<>();

    /** Turns by the name of the schedule, for the latest leadership of this node. */
    private final Map<String, ScheduleTurn> turns = new ConcurrentHashMap<>();

    /** The latest slots whose time came before the ledger was open, by the name of the schedule. */
    private final Map<String, Long> heldBack = new ConcurrentHashMap<>();

    private final Set<String> running = ConcurrentHashMap.newKeySet();
    private final UnconfirmedStarts unconfirmed;
    private final JobRunner runner = new Runner();
    private final SlotLog slotLog = new SlotLog(runner);

    /** The scheduler that calls the jobs. Guarded by this, like the fields below. */
    private @Nullable SlotTaskScheduler scheduler;

    /** The tasks that wait for a scheduler. */
    private final List<Consumer<SlotTaskScheduler>> waiting = new ArrayList<>();

    private boolean started;
    private volatile boolean closed;

    /**
     * Creates the jobs of a context, without any yet.
     *
     * @param ledgers where slots are recorded
     * @param isRecorded whether the application wants slots to be recorded
     * @param beans finds the bean of that name
     * @param placeholders replaces placeholders and expressions in cron expressions and zones
     * @param recoverWithin for guards that say nothing of it, zero for never
     * @param observer observes missed slots; asked for when there is a job and all beans are there
     * @param history where runs are recorded
     */
    public ScheduledJobs(
            SharedLedgers ledgers,
            boolean isRecorded,
            Function<String, Object> beans,
            UnaryOperator<String> placeholders,
            Duration recoverWithin,
            Supplier<JobObserver> observer,
            JobHistory history) {
        this(
                ledgers,
                isRecorded,
                beans,
                placeholders,
                recoverWithin,
                observer,
                history,
                new UnconfirmedStarts(System::nanoTime));
    }

    ScheduledJobs(
            SharedLedgers ledgers,
            boolean isRecorded,
            Function<String, Object> beans,
            UnaryOperator<String> placeholders,
            Duration recoverWithin,
            Supplier<JobObserver> observer,
            JobHistory history,
            UnconfirmedStarts unconfirmed) {
        this.ledgers = ledgers;
        this.methods = new ScheduledMethods(isRecorded, placeholders);
        this.beans = beans;
        this.recoverWithin = recoverWithin;
        this.observer = observer;
        this.history = history;
        this.unconfirmed = unconfirmed;
    }

    /** Each scheduled method is a job, and each other one that has the name of a job. */
    @Override
    public @Nullable Job jobOf(String bean, Method method, String election, JobTerms terms) {
        String name = requireNonNullElse(terms.job(), bean + "." + method.getName());
        if (terms.job() != null && terms.ofMethod()) {
            methods.checkName(name, bean, method);
        }
        Job gate = gateOf(name, bean, method, election, terms);
        if (gate == null) {
            boolean isJob = (terms.job() != null && terms.ofMethod()) || methods.isScheduled(method);
            return isJob ? new RecordedJob(name, election, Optional::of, history) : null;
        }
        return new RecordedJob(name, election, gate, history);
    }

    private @Nullable Job gateOf(String name, String bean, Method method, String election, JobTerms terms) {
        Duration atLeastFor = requireNonNullElse(terms.atLeastFor(), Duration.ZERO);
        if (!atLeastFor.isZero()) {
            return spacedJob(name, method, election, terms, atLeastFor);
        }
        List<CronSchedule> schedules = methods.schedules(name, method);
        Duration within = requireNonNullElse(terms.recoverWithin(), recoverWithin);
        methods.checkRecovered(method, terms, within, schedules);
        if (schedules.isEmpty() || within.isZero()) {
            return null;
        }
        ScheduledJob job = new ScheduledJob(
                name,
                election,
                bean,
                method,
                methods.schedulerOf(method),
                within,
                terms.recover(),
                terms.rerunInterrupted(),
                schedules);
        ScheduledJob before = jobs.putIfAbsent(name, job);
        added();
        if (before == null && hasStarted()) {
            observer.get().added(election, name);
        }
        return work -> enter(job, work);
    }

    private Job spacedJob(String name, Method method, String election, JobTerms terms, Duration atLeastFor) {
        methods.checkSpaced(method, terms);
        SpacedJob job = new SpacedJob(name, election, atLeastFor, unconfirmed, (guarding, token) -> {
            Ledger open = ledgers.find(guarding, token);
            return open == null ? null : partOf(open);
        });
        SpacedJob before = spaced.putIfAbsent(name, job);
        added();
        return before == null ? job : before;
    }

    /** The jobs that are known so far. */
    public Set<String> names() {
        return Set.copyOf(jobs.keySet());
    }

    /** Sets the scheduler that calls the jobs. Returns the one to use in its place. */
    public TaskScheduler calledBy(TaskScheduler used) {
        SlotTaskScheduler telling = new SlotTaskScheduler(used);
        List<Consumer<SlotTaskScheduler>> due;
        synchronized (this) {
            scheduler = telling;
            due = List.copyOf(waiting);
            waiting.clear();
        }
        due.forEach(task -> task.accept(telling));
        return telling;
    }

    /** Fails at startup if nothing can decide who leads, or there is nothing to record in. */
    @Override
    public void afterSingletonsInstantiated() {
        synchronized (this) {
            started = true;
        }
        jobs.values().forEach(job -> observer.get().added(job.election(), job.name()));
        if (!jobs.isEmpty() || !spaced.isEmpty()) {
            ledgers.join(this);
        }
    }

    @Override
    public void destroy() {
        closed = true;
        ledgers.leave(this);
        slotLog.tell();
    }

    /** Whether all missed slots of the present leaderships have been run. */
    boolean isOpen() {
        return !turns.isEmpty() && turns.values().stream().allMatch(ScheduleTurn::isOpen);
    }

    @Override
    public Need need() {
        List<String> needs = new ArrayList<>();
        if (!jobs.isEmpty()) {
            needs.add("recoverWithin (or election.scheduling.recover-within) of " + new TreeSet<>(jobs.keySet()));
        }
        if (!spaced.isEmpty()) {
            needs.add("atLeastFor of " + new TreeSet<>(spaced.keySet()));
        }
        return new Need(
                String.join(" and ", needs),
                "remove these: then slots that fall between two leaders are lost, and a new leader may start a job"
                        + " again too soon");
    }

    @Override
    public boolean uses(String election) {
        return jobs.values().stream().anyMatch(job -> job.election().equals(election))
                || spaced.values().stream().anyMatch(job -> job.election().equals(election));
    }

    @Override
    public void opened(String election, Ledger ledger) {
        SchedulerLedger part = partOf(ledger);
        Set<String> known = jobs.values().stream()
                .flatMap(job -> job.schedules().stream())
                .map(schedule -> nameIn(part, schedule))
                .collect(Collectors.toSet());
        long now = now();
        part.forgetAllBut(known, now);
        part.forgetJobsBut(jobs.keySet(), now);
        forgetRuns(part, known, now);
        jobs.values().stream().filter(job -> job.election().equals(election)).forEach(job -> takeOver(job, ledger));
    }

    @Override
    public void resumed(String election) {
        turns.values().forEach(turn -> turn.resume(election));
    }

    private void added() {
        if (!hasStarted()) {
            return;
        }
        if (jobs.size() + spaced.size() == 1) {
            ledgers.join(this);
        } else {
            ledgers.usesMore(this);
        }
    }

    private synchronized boolean hasStarted() {
        return started;
    }

    /** Forgets the runs of schedules that no version of the application has had for so long that nobody would run them again. */
    private void forgetRuns(SchedulerLedger part, Set<String> known, long now) {
        long outdated = now - longest().plus(GONE).toMillis();
        List<String> gone = Stream.of(part.running(), part.claimed())
                .flatMap(runs -> runs.keySet().stream())
                .filter(id -> {
                    int at = id.lastIndexOf('@');
                    return at > 0 && !known.contains(id.substring(0, at)) && slotOf(id, at) < outdated;
                })
                .toList();
        if (!gone.isEmpty()) {
            CompletionStage<Boolean> unused = part.recordRunning(Map.of(), gone);
        }
    }

    private static long slotOf(String id, int at) {
        try {
            return Long.parseLong(id.substring(at + 1));
        } catch (NumberFormatException notOurs) {
            return Long.MAX_VALUE;
        }
    }

    private boolean checkZone(CronSchedule schedule) {
        SlotTaskScheduler known;
        synchronized (this) {
            known = scheduler;
        }
        if (known == null
                || schedule.isNamedIn(known.clockOf(schedule.trigger()).getZone())) {
            return true;
        }
        log.error(
                "The slots of '{}' are computed in the zone {}, but its scheduler uses the zone {}: missed slots are"
                        + " not recovered as they should be. Set the zone in @Scheduled to that of the scheduler",
                schedule.name(),
                schedule.zone(),
                known.clockOf(schedule.trigger()).getZone());
        return false;
    }

    private void takeOver(ScheduledJob job, Ledger ledger) {
        SchedulerLedger part = partOf(ledger);
        List<ScheduleTurn> begun = new ArrayList<>();
        for (CronSchedule schedule : job.schedules()) {
            ScheduleTurn turn = new ScheduleTurn(
                    job,
                    schedule,
                    nameIn(part, schedule),
                    part,
                    runner,
                    observer.get(),
                    clockOf(schedule),
                    checkZone(schedule));
            ScheduleTurn latest = turns.compute(
                    schedule.name(), (name, known) -> known != null && known.isOf(part.token()) ? known : turn);
            if (latest == turn) {
                Long held = heldBack.remove(schedule.name());
                if (held != null) {
                    turn.heldBack(held);
                }
                turn.begin(part.hadSchedule(job.name(), schedule::isSame));
                begun.add(turn);
            }
        }
        if (!begun.isEmpty()) {
            CompletionStage<Boolean> unused = part.recordJob(
                    job.name(),
                    job.schedules().stream()
                            .map(schedule -> nameIn(part, schedule))
                            .collect(Collectors.toSet()));
            begun.forEach(ScheduleTurn::recoverSoon);
        }
    }

    /**
     * The name of a schedule in the ledger: the one by which the last leader has recorded it, which may write its expression or its zone
     * otherwise.
     */
    private static String nameIn(SchedulerLedger ledger, CronSchedule schedule) {
        return ledger.recordedName(schedule::isSame).orElseGet(schedule::name);
    }

    private Optional<LeaderWork> enter(ScheduledJob job, LeaderWork work) {
        SlotCall call = SlotCall.take(job::has);
        CronSchedule schedule = call == null ? null : job.scheduleOf(call.trigger());
        if (call == null || schedule == null) {
            // Called by the application itself.
            return Optional.of(work);
        }
        ScheduleTurn turn = turnOf(schedule, work.token());
        if (turn == null) {
            heldBack.merge(schedule.name(), call.slot(), Math::max);
            // It may have begun meanwhile, and would not see that.
            turn = turnOf(schedule, work.token());
        }
        if (turn == null) {
            log.debug("A slot of '{}' is held back until it is known what earlier leaders have run", schedule.name());
            call.outcome(new SlotCall.TooEarly());
            work.close();
            return Optional.empty();
        }
        return turn.enter(call, work);
    }

    /** The turn of that leadership, {@code null} if it has not begun. */
    private @Nullable ScheduleTurn turnOf(CronSchedule schedule, FencingToken token) {
        ScheduleTurn turn = turns.get(schedule.name());
        return turn != null && turn.isOf(token) ? turn : null;
    }

    /** The clock of the scheduler that calls the method, looked up each time: the scheduler may become known later. */
    private InstantSource clockOf(CronSchedule schedule) {
        return () -> {
            SlotTaskScheduler known;
            synchronized (this) {
                known = scheduler;
            }
            return known == null
                    ? Instant.now()
                    : known.clockOf(schedule.trigger()).instant();
        };
    }

    private long now() {
        SlotTaskScheduler known;
        synchronized (this) {
            known = scheduler;
        }
        return known == null ? System.currentTimeMillis() : known.getClock().millis();
    }

    private SchedulerLedger partOf(Ledger ledger) {
        return ledger.of(LEDGER, longest());
    }

    private Duration longest() {
        return jobs.values().stream()
                .map(ScheduledJob::recoverWithin)
                .max(Duration::compareTo)
                .orElse(recoverWithin);
    }

    /** Runs the jobs of this context. */
    private final class Runner implements JobRunner {

        @Override
        public boolean leads(ScheduledJob job, FencingToken token) {
            return !closed && ledgers.leads(job.election(), token);
        }

        @Override
        public boolean isResigning(ScheduledJob job) {
            return ledgers.isResigning(job.election());
        }

        @Override
        public void later(ScheduledJob job, Duration pause, Runnable task) {
            SlotTaskScheduler known;
            synchronized (ScheduledJobs.this) {
                known = scheduler;
                if (known == null) {
                    waiting.add(later -> schedule(later, job, pause, task));
                }
            }
            if (known != null) {
                schedule(known, job, pause, task);
            }
        }

        private void schedule(SlotTaskScheduler by, ScheduledJob job, Duration pause, Runnable task) {
            if (closed) {
                return;
            }
            try {
                // Its scheduler may have another clock than the usual one.
                ScheduledFuture<?> unused = by.schedule(
                        new Qualified(job.scheduler(), task),
                        by.clockOf(job.schedules().get(0).trigger()).instant().plus(pause));
            } catch (TaskRejectedException stopped) {
                log.debug("The scheduler takes no more tasks", stopped);
            }
        }

        @Override
        public void call(ScheduledJob job, SlotCall call) {
            call.make(() -> MethodCall.make(job.name(), () -> beans.apply(job.bean()), job.method()));
        }

        @Override
        public UnconfirmedStarts unconfirmed() {
            return unconfirmed;
        }

        @Override
        public SlotLog slotLog() {
            return slotLog;
        }

        @Override
        public void begun(String id) {
            running.add(id);
        }

        @Override
        public void forget(String id) {
            running.remove(id);
        }

        @Override
        public String node() {
            return history.node();
        }

        @Override
        public void notBegun(ScheduledJob job, long slot, SlotClaim claim, FencingToken token) {
            history.notBegun(job.election(), job.name(), Instant.ofEpochMilli(slot), claim, token);
        }

        @Override
        public CompletionStage<Boolean> ended(ScheduledJob job, String id, SchedulerLedger ledger) {
            running.remove(id);
            Ledger latest = ledgers.find(job.election());
            SchedulerLedger part = latest == null ? ledger : partOf(latest);
            return part.recordRunning(Map.of(), Set.of(id));
        }

        @Override
        public boolean isRunning(String id) {
            return running.contains(id);
        }
    }

    /**
     * A task for the scheduler that a job names.
     *
     * @param scheduler its qualifier, empty for the usual one
     * @param task what to do
     */
    private record Qualified(String scheduler, Runnable task) implements SchedulingAwareRunnable {

        @Override
        public void run() {
            task.run();
        }

        @Override
        public String getQualifier() {
            return scheduler;
        }
    }
}
