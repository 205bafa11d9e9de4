package dev.election.routing.internal.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.members.Members;
import dev.election.testing.HandDrivenElections;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LeaderRoutingTest {

    private static final int PLACES = 4;

    private final HandDrivenElections elections = new HandDrivenElections();

    private final LeaderRouting routing = new LeaderRouting(elections, withoutMembers(), Duration.ofMinutes(1), PLACES);

    @Test
    void only_so_many_requests_wait_and_a_further_one_is_refused_at_once() {
        List<CompletableFuture<RoutingDecision>> waiting = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            waiting.add(routing.decide("orders"));
        }
        assertThat(waiting).allSatisfy(decision -> assertThat(decision).isNotDone());

        assertThat(routing.decide("orders"))
                .isCompletedWithValueMatching(decision -> decision instanceof RoutingDecision.Nowhere nowhere
                        && nowhere.problem().toString().contains("too many requests wait"));

        waiting.get(0).cancel(false);
        assertThat(routing.decide("orders")).isNotDone();
    }

    private static Members withoutMembers() {
        return (Members) Proxy.newProxyInstance(
                Members.class.getClassLoader(), new Class<?>[] {Members.class}, (proxy, method, arguments) -> {
                    throw new AssertionError("Nobody leads: no member is looked for by " + method.getName());
                });
    }
}
