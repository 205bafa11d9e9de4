package dev.election.jobs.engine;

import dev.election.jobs.ledger.SchedulerLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A slot that an earlier leader has claimed or begun, and whose end is not recorded.
 *
 * @param id under which it is found
 * @param hasBegun whether its job is known to have begun
 * @param entry what the leader has recorded of it
 */
public record LeftSlot(String id, boolean hasBegun, String entry) {

    /** All of them in that ledger: first those that have begun. */
    public static List<LeftSlot> in(SchedulerLedger ledger) {
        List<LeftSlot> left = new ArrayList<>();
        Map<String, String> running = ledger.running();
        running.forEach((id, entry) -> left.add(new LeftSlot(id, true, entry)));
        ledger.claimed().forEach((id, entry) -> {
            if (!running.containsKey(id)) {
                left.add(new LeftSlot(id, false, entry));
            }
        });
        return left;
    }
}
