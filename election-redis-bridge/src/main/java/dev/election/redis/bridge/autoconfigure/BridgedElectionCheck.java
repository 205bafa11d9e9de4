package dev.election.redis.bridge.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Checks whether this node takes part in the election that the bridge is for: else the bridge bridges nothing, and no other election waits
 * for the old master.
 *
 * @param election the name of the election
 * @param elections the elections of this node
 */
record BridgedElectionCheck(String election, ObjectProvider<Elections> elections) implements Check {

    @Override
    public CompletionStage<List<Finding>> look() {
        boolean isUsed = elections.stream().anyMatch(all -> all.find(election).isPresent());
        return CompletableFuture.completedFuture(
                isUsed
                        ? List.of()
                        : List.of(new Finding(
                                "The bridge from the old scheduler has no effect: this node takes part in no election '"
                                        + election + "'",
                                "Set election.bridge.election to the election that replaces the old scheduler")));
    }
}
