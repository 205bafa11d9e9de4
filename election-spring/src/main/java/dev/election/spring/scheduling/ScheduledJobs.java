package dev.election.spring.scheduling;

import static java.util.Objects.requireNonNullElse;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.jobs.engine.LeftSlot;
import dev.election.jobs.engine.SlotEngine;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.Ledger;
import dev.election.jobs.ledger.LedgerUser;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.jobs.requests.JobRequests;
import dev.election.jobs.requests.RunReport;
import dev.election.jobs.slots.ScheduleSlots;
import dev.election.spring.calls.JobGate;
import dev.election.spring.calls.JobTerms;
import dev.election.spring.internal.slot.CronSchedule;
import dev.election.spring.internal.slot.SlotCall;
import dev.election.support.PartitionName;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.scheduling.TaskScheduler;

/** The guarded methods of a context that are called by cron expressions, where missed slots are recovered. */
public final class ScheduledJobs
        implements JobGate, LedgerUser, JobRequests.Runner, SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(ScheduledJobs.class);

    /** Runs of schedules that are gone are remembered for so much longer than they could be run again. */
    private static final Duration GONE = Duration.ofDays(1);

    /** The name of their part of the ledgers, which no Quartz scheduler has there. */
    private static final String LEDGER = "scheduled";

    private final SharedLedgers ledgers;
    private final JobHistory history;
    private final JobRequests requests;
    private final ScheduledMethods methods;
    private final Supplier<JobObserver> observer;
    private final Map<Place, ScheduledJob> jobs = new ConcurrentHashMap<>();
    private final Map<Place, SpacedJob> spaced = new ConcurrentHashMap<>();

    /** The jobs that can be run by hand: those of one election that a scheduler calls. */
    private final Map<Place, Callable> callable = new ConcurrentHashMap<>();

    /** Turns by the name of the schedule, for the latest leadership of this node. */
    private final Map<Place, ScheduleTurn> turns = new ConcurrentHashMap<>();

    /** The latest slots whose time came before the ledger was open, by the name of the schedule. */
    private final Map<Place, Long> heldBack = new ConcurrentHashMap<>();

    private final SlotEngine engine;
    private final JobScheduler scheduler;
    private final SlotLog slotLog;
    private volatile boolean started;

    /**
     * Creates the jobs of a context, without any yet.
     *
     * @param records where slots and runs are recorded
     * @param requests to run them by hand
     * @param methods reads their annotations
     * @param beans finds the bean of that name
     * @param observer observes missed slots; asked for when there is a job and all beans are there
     * @param nanos the monotonic clock of this node
     */
    public ScheduledJobs(
            JobRecords records,
            JobRequests requests,
            ScheduledMethods methods,
            Function<String, Object> beans,
            Supplier<JobObserver> observer,
            LongSupplier nanos) {
        this.ledgers = records.ledgers();
        this.history = records.history();
        this.requests = requests;
        this.methods = methods;
        this.observer = observer;
        this.engine = new SlotEngine(LEDGER, records, this::longest, nanos);
        this.scheduler = new JobScheduler(beans);
        this.slotLog = new SlotLog(scheduler, observer);
    }

    /** Each method of one election that is scheduled is a job, and each other one that has the terms or the name of a job. */
    @Override
    public @Nullable Job jobOf(String bean, Method method, String election, JobTerms terms) {
        String name = requireNonNullElse(terms.job(), bean + "." + method.getName());
        if (terms.job() != null && terms.ofMethod()) {
            methods.checkName(name, bean, method);
        }
        boolean isFirst = jobs.isEmpty() && spaced.isEmpty();
        List<String> elections = terms.partitions() == 0
                ? List.of(election)
                : IntStream.range(0, terms.partitions())
                        .mapToObj(index -> PartitionName.of(election, index))
                        .toList();
        Map<String, Job> gates = gatesOf(name, bean, method, elections, terms);
        if (!gates.isEmpty()) {
            added(isFirst);
        }
        // Many partitions that poll would cost a request each for the records.
        boolean isRecorded = terms.partitions() == 0 && methods.isScheduled(method);
        boolean isJob = !gates.isEmpty() || (terms.job() != null && terms.ofMethod()) || isRecorded;
        if (!isJob) {
            return null;
        }
        RecordedJob recorded = new RecordedJob(name, gates, engine, history);
        if (isRecorded) {
            callable.put(
                    new Place(election, name), new Callable(recorded, bean, method, methods.schedules(name, method)));
            if (started) {
                requests.added(election);
            }
        }
        return recorded;
    }

    @Override
    public Set<String> names(String election) {
        return callable.keySet().stream()
                .filter(job -> job.election().equals(election))
                .map(Place::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Map<String, Optional<Instant>> jobs(String election) {
        return callable.entrySet().stream()
                .filter(job -> job.getKey().election().equals(election))
                .collect(Collectors.toUnmodifiableMap(
                        job -> job.getKey().name(), job -> next(job.getValue().schedules)));
    }

    private Optional<Instant> next(List<CronSchedule> schedules) {
        return schedules.stream()
                .map(schedule -> schedule.next(scheduler.now(schedule).toEpochMilli()))
                .filter(slot -> slot != ScheduleSlots.NEVER)
                .min(Long::compare)
                .map(Instant::ofEpochMilli);
    }

    @Override
    public CompletionStage<RunReport> run(String election, String job, FencingToken token, String requestedBy) {
        Callable found = callable.get(new Place(election, job));
        return found == null
                ? CompletableFuture.completedFuture(RunReport.refused("'" + job + "' is not run any more here"))
                : found.job.runByHand(
                        election, token, requestedBy, () -> scheduler.call(job, found.bean, found.method));
    }

    /** The gates that decide on the calls of a method, by election; none if all calls may go on. */
    private Map<String, Job> gatesOf(String name, String bean, Method method, List<String> elections, JobTerms terms) {
        Duration atLeastFor = requireNonNullElse(terms.atLeastFor(), Duration.ZERO);
        if (!atLeastFor.isZero()) {
            methods.checkSpaced(method, terms);
            return gates(
                    elections,
                    election -> spaced.computeIfAbsent(
                            new Place(election, name), place -> new SpacedJob(name, election, atLeastFor, engine)));
        }
        List<CronSchedule> schedules = methods.schedules(name, method);
        Duration within = requireNonNullElse(terms.recoverWithin(), Duration.ZERO);
        methods.checkRecovered(method, terms, within, schedules);
        if (schedules.isEmpty() || within.isZero()) {
            return Map.of();
        }
        ScheduledJob.Called called = new ScheduledJob.Called(bean, method, methods.schedulerOf(method));
        return gates(elections, election -> {
            ScheduledJob job = new ScheduledJob(name, election, called, within, terms, schedules);
            ScheduledJob before = jobs.putIfAbsent(new Place(election, name), job);
            if (before == null && started) {
                observer.get().added(election, name);
            }
            return work -> enter(job, work);
        });
    }

    private static Map<String, Job> gates(List<String> elections, Function<String, Job> gate) {
        return elections.stream().collect(Collectors.toMap(Function.identity(), gate));
    }

    /** The jobs that are known so far. */
    public Set<String> names() {
        return jobs.values().stream().map(ScheduledJob::name).collect(Collectors.toUnmodifiableSet());
    }

    /** Sets the scheduler that calls the jobs, but for those that are called for each partition. Returns the one to use in its place. */
    TaskScheduler calledBy(TaskScheduler used, @Nullable PartitionedMethods partitioned) {
        return scheduler.calledBy(used, partitioned);
    }

    /** Fails at startup if nothing can decide who leads, or there is nothing to record in. */
    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        requests.add(this);
        callable.keySet().stream().map(Place::election).distinct().forEach(requests::added);
        jobs.values().forEach(job -> observer.get().added(job.election(), job.name()));
        if (!jobs.isEmpty() || !spaced.isEmpty()) {
            ledgers.join(this);
        }
    }

    @Override
    public void destroy() {
        scheduler.close();
        requests.remove(this);
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
            needs.add("recoverWithin of " + new TreeSet<>(names()));
        }
        if (!spaced.isEmpty()) {
            needs.add("atLeastFor of "
                    + spaced.keySet().stream().map(Place::name).collect(Collectors.toCollection(TreeSet::new)));
        }
        return new Need(
                String.join(" and ", needs),
                "remove these: then slots that fall between two leaders are lost, and a new leader may start a job"
                        + " again too soon");
    }

    @Override
    public boolean uses(String election) {
        return Stream.concat(jobs.keySet().stream(), spaced.keySet().stream())
                .anyMatch(place -> place.election().equals(election));
    }

    @Override
    public void opened(String election, Ledger ledger) {
        SchedulerLedger part = engine.partOf(ledger);
        Set<String> known = jobs.values().stream()
                .flatMap(job -> job.schedules().stream())
                .distinct()
                .map(schedule -> schedule.nameIn(part))
                .collect(Collectors.toSet());
        long now = scheduler.now();
        part.forgetAllBut(known, now);
        part.forgetJobsBut(names(), now);
        forgetRuns(part, known, now);
        jobs.values().stream().filter(job -> job.election().equals(election)).forEach(job -> takeOver(job, ledger));
    }

    @Override
    public void resumed(String election) {
        turns.values().forEach(turn -> turn.resume(election));
    }

    private void added(boolean isFirst) {
        if (!started) {
            return;
        }
        if (isFirst) {
            ledgers.join(this);
        } else {
            ledgers.usesMore(this);
        }
    }

    /** Forgets the runs of schedules that no version of the application has had for so long that nobody would run them again. */
    private void forgetRuns(SchedulerLedger part, Set<String> known, long now) {
        long outdated = now - longest().plus(GONE).toMillis();
        List<String> gone = LeftSlot.in(part).stream()
                .map(LeftSlot::id)
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

    private void takeOver(ScheduledJob job, Ledger ledger) {
        SchedulerLedger part = engine.partOf(ledger);
        List<ScheduleTurn> begun = new ArrayList<>();
        for (CronSchedule schedule : job.schedules()) {
            ScheduleTurn turn = new ScheduleTurn(job, schedule, part, engine, scheduler, slotLog);
            Place place = new Place(job.election(), schedule.name());
            ScheduleTurn latest =
                    turns.compute(place, (name, known) -> known != null && known.isOf(part.token()) ? known : turn);
            if (latest == turn) {
                Long held = heldBack.remove(place);
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
                            .map(schedule -> schedule.nameIn(part))
                            .collect(Collectors.toSet()));
            begun.forEach(ScheduleTurn::recoverSoon);
        }
    }

    private Optional<LeaderWork> enter(ScheduledJob job, LeaderWork work) {
        SlotCall call = SlotCall.take(job::has);
        CronSchedule schedule = call == null ? null : job.scheduleOf(call.trigger());
        if (call == null || schedule == null) {
            // Called by the application itself.
            return Optional.of(work);
        }
        Place place = new Place(job.election(), schedule.name());
        ScheduleTurn turn = turnOf(place, work.token());
        if (turn == null) {
            heldBack.merge(place, call.slot(), Math::max);
            // It may have begun meanwhile, and would not see that.
            turn = turnOf(place, work.token());
        }
        if (turn == null) {
            log.debug("A slot of '{}' is held back until it is known what earlier leaders have run", schedule.name());
            work.close();
            return Optional.empty();
        }
        return turn.enter(call, work);
    }

    /** The turn of that leadership, {@code null} if it has not begun. */
    private @Nullable ScheduleTurn turnOf(Place schedule, FencingToken token) {
        ScheduleTurn turn = turns.get(schedule);
        return turn != null && turn.isOf(token) ? turn : null;
    }

    private Duration longest() {
        return jobs.values().stream()
                .map(ScheduledJob::recoverWithin)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /**
     * A job, or one of its schedules, in an election.
     *
     * @param election the name of the election
     * @param name of the job or the schedule
     */
    private record Place(String election, String name) {}

    /**
     * A job whose method can be called.
     *
     * @param bean its name
     * @param method of the class of the bean
     * @param schedules its cron expressions
     */
    private record Callable(RecordedJob job, String bean, Method method, List<CronSchedule> schedules) {}
}
