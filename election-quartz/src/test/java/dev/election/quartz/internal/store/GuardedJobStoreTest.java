package dev.election.quartz.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quartz.Trigger.CompletedExecutionInstruction.SET_ALL_JOB_TRIGGERS_ERROR;

import dev.election.LeaderWork;
import dev.election.quartz.internal.Journal;
import dev.election.quartz.internal.scheduler.FiringsUnderWay;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.TriggerKey;
import org.quartz.impl.triggers.SimpleTriggerImpl;
import org.quartz.spi.JobStore;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredBundle;
import org.quartz.spi.TriggerFiredResult;

/** What a scheduler may do to a store that nodes share, by the leadership in which it began to. */
class GuardedJobStoreTest {

    private final List<String> calls = new ArrayList<>();
    private final Set<String> records = new HashSet<>();
    private final HandDrivenElection election = new HandDrivenElections().get("default");
    private final FiringsUnderWay underWay = new FiringsUnderWay();
    private int acquired;
    private @Nullable CompletedExecutionInstruction outcome;

    private final JobStore store = proxy(new GuardedJobStore(
            proxy((proxy, method, arguments) -> {
                calls.add(method.getName());
                if (method.getName().equals("triggeredJobComplete")) {
                    outcome = (CompletedExecutionInstruction) arguments[2];
                }
                return switch (method.getName()) {
                    case "acquireNextTriggers" -> List.of(next());
                    case "triggersFired" -> fired(arguments);
                    default -> null;
                };
            }),
            () -> Optional.of(election),
            () -> {},
            records::contains,
            underWay,
            (job, trigger) -> calls.add("giveBack " + trigger.getKey())));

    @Test
    void a_node_that_does_not_lead_acquires_nothing() throws Exception {
        assertThat(store.acquireNextTriggers(0, 1, 0)).isEmpty();
        assertThat(calls).isEmpty();
    }

    @Test
    void a_leader_acquires_fires_and_completes() throws Exception {
        lead(1);
        OperableTrigger trigger = acquire();
        store.triggersFired(List.of(trigger));
        records.clear();
        store.triggeredJobComplete(trigger, null, null);
        assertThat(calls).containsExactly("acquireNextTriggers", "triggersFired", "triggeredJobComplete");
    }

    @Test
    void what_was_acquired_in_an_earlier_leadership_is_not_fired_though_the_node_leads_again() throws Exception {
        lead(1);
        OperableTrigger trigger = acquire();
        lead(3);
        acquire();
        assertThatNothingIsFired(trigger);
    }

    @Test
    void what_was_fired_in_an_earlier_leadership_is_completed_only_if_the_cluster_has_left_it_to_this_node()
            throws Exception {
        lead(1);
        OperableTrigger taken = acquire();
        OperableTrigger left = acquire();
        store.triggersFired(List.of(taken, left));
        lead(3);
        acquire();
        records.remove(taken.getFireInstanceId());
        calls.clear();
        store.triggeredJobComplete(taken, null, null);
        assertThat(calls).as("another node may run that job").isEmpty();
        store.triggeredJobComplete(left, null, null);
        assertThat(calls).containsExactly("triggeredJobComplete");
    }

    @Test
    void triggers_of_a_job_that_a_leader_can_not_make_are_in_error_as_ever() throws Exception {
        lead(1);
        OperableTrigger trigger = acquire();
        store.triggersFired(List.of(trigger));
        store.triggeredJobComplete(trigger, null, SET_ALL_JOB_TRIGGERS_ERROR);
        assertThat(calls).containsExactly("acquireNextTriggers", "triggersFired", "triggeredJobComplete");
        assertThat(outcome).isEqualTo(SET_ALL_JOB_TRIGGERS_ERROR);
    }

    @Test
    void a_firing_for_which_a_former_leader_can_not_make_a_job_is_given_back_unless_others_have_it() throws Exception {
        lead(1);
        OperableTrigger left = acquire();
        OperableTrigger taken = acquire();
        store.triggersFired(List.of(left, taken));
        election.follow();
        records.remove(taken.getFireInstanceId());
        calls.clear();
        store.triggeredJobComplete(taken, job(true), SET_ALL_JOB_TRIGGERS_ERROR);
        assertThat(calls).isEmpty();
        store.triggeredJobComplete(left, job(true), SET_ALL_JOB_TRIGGERS_ERROR);
        assertThat(calls).containsExactly("giveBack DEFAULT.t0", "triggeredJobComplete");
        assertThat(outcome).isEqualTo(CompletedExecutionInstruction.DELETE_TRIGGER);
    }

    /** Quartz forgets the firings of a node that it holds for dead. */
    @Test
    void a_firing_without_a_job_that_the_cluster_has_taken_over_and_would_not_recover_is_given_back() throws Exception {
        OperableTrigger taken = firedByAFormerLeader();
        records.clear();
        store.triggeredJobComplete(taken, job(false), SET_ALL_JOB_TRIGGERS_ERROR);
        assertThat(calls).containsExactly("giveBack DEFAULT.t0");
    }

    @Test
    void what_a_trigger_wants_after_its_job_has_run_is_done_by_a_former_leader_too() throws Exception {
        OperableTrigger trigger = firedByAFormerLeader();
        store.triggeredJobComplete(trigger, job(false), CompletedExecutionInstruction.SET_TRIGGER_ERROR);
        assertThat(calls).containsExactly("triggeredJobComplete");
        assertThat(outcome).isEqualTo(CompletedExecutionInstruction.SET_TRIGGER_ERROR);
    }

    @Test
    void a_leader_that_resigns_waits_for_what_is_fired_until_it_has_arrived_or_ended() throws Exception {
        lead(1);
        OperableTrigger arriving = acquire();
        OperableTrigger ending = acquire();
        store.triggersFired(List.of(arriving, ending));
        assertThat(election.runningWork()).isEqualTo(2);

        LeaderWork arrived = underWay.arrived(arriving.getFireInstanceId()).orElseThrow();
        store.triggeredJobComplete(arriving, null, null);
        assertThat(election.runningWork()).isEqualTo(2);
        arrived.close();
        store.triggeredJobComplete(ending, null, null);

        assertThat(election.runningWork()).isZero();
    }

    @Test
    void a_leader_that_resigns_fires_nothing_more_and_keeps_no_work() throws Exception {
        lead(1);
        OperableTrigger trigger = acquire();
        election.outlive();
        assertThatNothingIsFired(trigger);
        assertThat(election.runningWork()).isZero();
    }

    @Test
    void what_arrives_when_its_leadership_is_over_is_no_leader_work() throws Exception {
        lead(1);
        OperableTrigger trigger = acquire();
        store.triggersFired(List.of(trigger));
        election.follow();
        assertThat(underWay.arrived(trigger.getFireInstanceId())).isEmpty();
        assertThat(election.runningWork()).isZero();
    }

    private void assertThatNothingIsFired(OperableTrigger trigger) throws Exception {
        calls.clear();
        assertThat(store.triggersFired(List.of(trigger)))
                .singleElement()
                .extracting(TriggerFiredResult::getTriggerFiredBundle)
                .isNull();
        assertThat(calls).isEmpty();
    }

    private static List<TriggerFiredResult> fired(Object[] arguments) {
        return ((List<?>) arguments[0])
                .stream()
                        .map(trigger -> new TriggerFiredResult(new TriggerFiredBundle(
                                null, (OperableTrigger) trigger, null, false, null, null, null, null)))
                        .toList();
    }

    private OperableTrigger firedByAFormerLeader() throws Exception {
        lead(1);
        OperableTrigger trigger = acquire();
        store.triggersFired(List.of(trigger));
        election.follow();
        calls.clear();
        return trigger;
    }

    private static JobDetail job(boolean recovers) {
        return JobBuilder.newJob(Journal.Recorded.class)
                .requestRecovery(recovers)
                .build();
    }

    private void lead(long token) {
        election.lead(token);
    }

    private OperableTrigger acquire() throws Exception {
        return store.acquireNextTriggers(0, 1, 0).get(0);
    }

    private OperableTrigger next() {
        SimpleTriggerImpl trigger = new SimpleTriggerImpl();
        trigger.setKey(new TriggerKey("t" + acquired));
        trigger.setFireInstanceId("record " + acquired++);
        records.add(trigger.getFireInstanceId());
        return trigger;
    }

    private static JobStore proxy(java.lang.reflect.InvocationHandler handler) {
        return (JobStore)
                Proxy.newProxyInstance(JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, handler);
    }
}
