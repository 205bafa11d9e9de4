package dev.election.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.quartz.TriggerKey;
import org.quartz.impl.triggers.SimpleTriggerImpl;
import org.quartz.spi.JobStore;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredResult;

/** What a scheduler may do to a store that nodes share, by the leadership in which it began to. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class GuardedJobStoreTest {

    private final List<String> calls = new ArrayList<>();
    private final Set<String> records = new HashSet<>();
    private Optional<FencingToken> leading = Optional.empty();
    private int acquired;

    private final JobStore store = proxy(new GuardedJobStore(
            proxy((proxy, method, arguments) -> {
                calls.add(method.getName());
                return switch (method.getName()) {
                    case "acquireNextTriggers" -> List.of(next());
                    case "triggersFired" -> List.of();
                    default -> null;
                };
            }),
            () -> leading,
            records::contains));

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
        calls.clear();
        assertThat(store.triggersFired(List.of(trigger)))
                .singleElement()
                .extracting(TriggerFiredResult::getTriggerFiredBundle)
                .isNull();
        assertThat(calls).isEmpty();
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

    private void lead(long token) {
        leading = Optional.of(new FencingToken(token));
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
