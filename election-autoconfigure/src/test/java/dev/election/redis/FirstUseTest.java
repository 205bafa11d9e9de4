package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.lease.CampaignRequest;
import dev.election.lease.Candidate;
import dev.election.lease.LeaseStore.Subscription;
import dev.election.lease.NoAnswer;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that is made while an application starts takes no time from it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FirstUseTest {

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    @Test
    void a_store_begins_to_connect_when_it_is_first_asked() {
        try (RedisLeaseStore store = open()) {
            assertThat(threadsSinceBefore()).isEmpty();
            try (Subscription listening = store.listen("default", hint -> {})) {
                assertThat(listening).isNotNull();
                assertThat(threadsSinceBefore()).contains("election-redis");
            }
        }
    }

    @Test
    @Timeout(10)
    void a_store_that_was_closed_before_anybody_asked_says_so() {
        RedisLeaseStore store = open();
        store.close();
        CampaignRequest request = new CampaignRequest(
                new Candidate("default", "candidacy", "node", "address"), Duration.ofSeconds(15), 0, Duration.ZERO);
        assertThat(store.campaign(request).toCompletableFuture().join())
                .isInstanceOfSatisfying(
                        NoAnswer.class, reply -> assertThat(reply.detail()).contains("closed"));
        assertThat(threadsSinceBefore()).isEmpty();
    }

    /** Where no server is. */
    private static RedisLeaseStore open() {
        RedisURI nowhere = RedisURI.create("127.0.0.1", RedisServer.freePort());
        return RedisLeaseStore.open(RedisAccess.at(nowhere), "election", Duration.ofSeconds(15));
    }

    private List<String> threadsSinceBefore() {
        Set<Thread> fresh = new HashSet<>(Thread.getAllStackTraces().keySet());
        fresh.removeAll(before);
        return fresh.stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("election-"))
                .toList();
    }
}
