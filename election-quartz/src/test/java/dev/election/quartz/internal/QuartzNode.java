package dev.election.quartz.internal;

import dev.election.Elections;
import dev.election.jobs.JobRun;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.Ledger;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.quartz.QuartzMode;
import dev.election.quartz.internal.rules.GuardRules;
import dev.election.quartz.internal.rules.QuartzSettings;
import dev.election.quartz.internal.rules.SchedulerChoice;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.StoreTransactions;
import dev.election.quartz.internal.trigger.LedgerNames;
import dev.election.quartz.internal.turns.QuartzGuards;
import dev.election.store.LedgerStore;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.SchedulerRepository;
import org.quartz.impl.StdSchedulerFactory;

/** A node with one scheduler of its own, whose leadership a test decides. */
final class QuartzNode implements AutoCloseable {

    static final String SCHEDULER = "node";

    /** Between two slots of {@link #often}, in milliseconds. */
    static final long INTERVAL = 250;

    private final Elections elections;
    private final CountDownLatch latch = new CountDownLatch(1);
    private final Scheduler scheduler;
    private final CountedThreadPool threads;
    private final SharedLedgers ledgers;
    private final Duration recoverWithin;

    /** Those that have ended. */
    final List<JobRun> runs = new CopyOnWriteArrayList<>();

    private final JobHistory history;
    private final QuartzGuards guards;
    private final long shift;
    private final long begun;

    private QuartzNode(Setting setting, Journal journal, Elections elections) throws SchedulerException {
        this.elections = elections;
        this.begun = journal.begun() / INTERVAL * INTERVAL;
        this.shift = setting.shift.toMillis();
        this.recoverWithin = setting.recoverWithin;
        StdSchedulerFactory factory = new StdSchedulerFactory();
        String pool = UUID.randomUUID().toString();
        factory.initialize(properties(setting, pool));
        this.scheduler = factory.getScheduler();
        this.threads = CountedThreadPool.named(pool);
        // The same scheduler on another node has the same name, and here it is in the same process.
        SchedulerRepository.getInstance().remove(SCHEDULER);
        journal.attach(scheduler);
        scheduler.getContext().put(Journal.Lasting.LATCH, latch);
        InstantSource clock = () -> Instant.now().plusMillis(shift);
        this.ledgers = new SharedLedgers(() -> elections, need -> setting.ledgerStore, clock);
        this.history = new JobHistory(() -> elections, () -> setting.ledgerStore, 20, clock, runs::add);
        this.guards = new QuartzGuards(
                () -> elections,
                new QuartzSettings(
                        new GuardRules(name -> name, setting.groups, "default"),
                        new SchedulerChoice(setting.mode, "default", setting.confirming, setting.recoverWithin)),
                new JobRecords(ledgers, history),
                setting.observer,
                StoreTransactions.NONE,
                clock);
        guards.guard(scheduler);
        guards.afterSingletonsInstantiated();
    }

    static Setting with(LedgerStore ledgerStore) {
        return new Setting(
                ledgerStore,
                Duration.ofMinutes(5),
                Duration.ZERO,
                QuartzMode.AUTO,
                Map.of(),
                QuartzObserver.NONE,
                false);
    }

    /** The name of the entry in which the slots of that trigger are recorded. */
    static String entry(String trigger) {
        return "quartz/" + SCHEDULER + "/slot/DEFAULT/" + trigger;
    }

    /** If it is the test that decides. */
    HandDrivenElection election() {
        return election("default");
    }

    HandDrivenElection election(String name) {
        return (HandDrivenElection) elections.get(name);
    }

    /** The runs of all nodes. */
    List<JobRun> history() {
        return history.of("default").toCompletableFuture().join();
    }

    SharedLedgers ledgers() {
        return ledgers;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** Lets the lasting jobs end. */
    void letThrough() {
        latch.countDown();
    }

    /** What time it is by this node's clock. */
    long now() {
        return System.currentTimeMillis() + shift;
    }

    QuartzNode start() throws SchedulerException {
        scheduler.start();
        return this;
    }

    /** Four times a second, at the same times on all nodes, and each missed time later. */
    QuartzNode often(String name, Class<? extends Job> job) throws SchedulerException {
        return schedule(
                name,
                job,
                TriggerBuilder.newTrigger()
                        .startAt(new Date(begun))
                        .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                                .withIntervalInMilliseconds(INTERVAL)
                                .repeatForever()
                                .withMisfireHandlingInstructionIgnoreMisfires()));
    }

    QuartzNode schedule(String name, Class<? extends Job> job, TriggerBuilder<? extends Trigger> trigger)
            throws SchedulerException {
        return schedule(
                JobBuilder.newJob(job).withIdentity(name).build(),
                trigger.withIdentity(name).build());
    }

    QuartzNode schedule(JobDetail job, Trigger trigger) throws SchedulerException {
        scheduler.scheduleJob(job, trigger);
        return this;
    }

    /** Waits until the new leader has caught up a trigger that it has begun to look at: until then its next slot is one of the missed. */
    void awaitCaughtUp(String trigger) {
        String schedule = LedgerNames.schedule(new TriggerKey(trigger));
        Journal.await().until(() -> {
            Ledger ledger = ledgers.find("default");
            return ledger != null
                    && !ledger.of(LedgerNames.scheduler(SCHEDULER), recoverWithin)
                            .isHeldBack(schedule);
        });
    }

    /** Leads no more, between two jobs. */
    void retire() {
        // Late slots may overtake each other on their way to their jobs: to lose leadership then is promised to nobody.
        Journal.await().until(threads::isIdle);
        election().outlive();
        // Whatever it has begun is written down: the other case is promised to nobody.
        Journal.await().until(() -> election().runningWork() == 0);
        election().follow();
    }

    /** As a process that is killed between two jobs: nothing of it is heard or written any more. */
    void die() throws SchedulerException {
        retire();
        dieWorking();
    }

    /** As a process that is killed while jobs run. */
    void dieWorking() throws SchedulerException {
        guards.destroy();
        ledgers.close();
        scheduler.standby();
        election().follow();
    }

    @Override
    public void close() throws SchedulerException {
        letThrough();
        guards.destroy();
        ledgers.close();
        scheduler.shutdown(true);
    }

    private static Properties properties(Setting setting, String pool) {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "org.quartz.scheduler.instanceName",
                SCHEDULER,
                "org.quartz.threadPool.class",
                CountedThreadPool.class.getName(),
                "org.quartz.threadPool.name",
                pool,
                "org.quartz.threadPool.threadCount",
                "4",
                "org.quartz.jobStore.class",
                ShiftedJobStore.class.getName(),
                "org.quartz.jobStore.shift",
                Long.toString(setting.shift.toMillis())));
        return properties;
    }

    /**
     * @param ledger where leaders write
     * @param recoverWithin how long a missed slot is worth being fired
     * @param shift how far the clock is ahead
     * @param mode how to guard the scheduler
     * @param groups the elections of job groups
     * @param observer counts
     * @param confirming whether jobs begin only when their slots are claimed for certain
     */
    record Setting(
            LedgerStore ledgerStore,
            Duration recoverWithin,
            Duration shift,
            QuartzMode mode,
            Map<String, String> groups,
            QuartzObserver observer,
            boolean confirming) {

        Setting recoverWithin(Duration within) {
            return new Setting(ledgerStore, within, shift, mode, groups, observer, confirming);
        }

        Setting shift(Duration by) {
            return new Setting(ledgerStore, recoverWithin, by, mode, groups, observer, confirming);
        }

        Setting mode(QuartzMode other) {
            return new Setting(ledgerStore, recoverWithin, shift, other, groups, observer, confirming);
        }

        Setting group(String group, String election) {
            return new Setting(ledgerStore, recoverWithin, shift, mode, Map.of(group, election), observer, confirming);
        }

        Setting observer(QuartzObserver other) {
            return new Setting(ledgerStore, recoverWithin, shift, mode, groups, other, confirming);
        }

        /** Jobs begin when the store has confirmed their claims. */
        Setting confirmed() {
            return new Setting(ledgerStore, recoverWithin, shift, mode, groups, observer, true);
        }

        QuartzNode node(Journal journal) throws SchedulerException {
            return node(journal, new HandDrivenElections());
        }

        QuartzNode node(Journal journal, Elections elections) throws SchedulerException {
            return new QuartzNode(this, journal, elections);
        }
    }
}
