package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.NodeInfo;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.ReadReply;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.testing.Nodes;
import dev.election.testing.Opened;
import dev.election.testing.RedisServer;
import dev.election.testing.Thorough;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What somebody has written where the scripts write a number. It must not keep everybody from leading for ever. */
@Thorough
class UnreadableFieldsTest {

    private static final Duration LEASE = Duration.ofMillis(300);

    private static final List<String> VALUES =
            List.of("", "one", "nan", "inf", "-5", "1.5", "1e18", "9007199254740993", "99999999999999999999");

    @AutoClose
    private static final Opened opened = new Opened();

    private static final RedisServer server = opened.add(RedisServer.start(RedisBinary.REDIS_7_0));

    /** Opened for a longer lease, so that an answer may be later than a lease. */
    private static final RedisLeaseStore store =
            opened.add(RedisLeaseStore.open(RedisAccess.at(server.uri()), "election", Duration.ofSeconds(30)));

    private static int tests;

    @BeforeAll
    static void start() {
        Nodes.await("a connection")
                .until(() -> store.read("default").toCompletableFuture().join() instanceof ReadReply.Read);
    }

    static Stream<Arguments> fields() {
        Stream<List<String>> fields = Stream.of(
                List.of("epoch", "token"),
                List.of("epoch", "closed"),
                List.of("epoch", "until"),
                List.of("epoch", "lease"),
                List.of("lease", "token"),
                List.of("lease", "since"),
                List.of("lease", "until"),
                List.of("lease", "lease"));
        return fields.flatMap(field -> VALUES.stream().map(value -> Arguments.of(field.get(0), field.get(1), value)));
    }

    @ParameterizedTest
    @MethodSource("fields")
    void a_field_that_is_no_number_counts_as_missing(String key, String field, String value) {
        String election = "e" + ++tests;
        String now = Long.toString(System.currentTimeMillis());
        Map<String, String> epoch = new HashMap<>(Map.of(
                "token", now, "closed", "0", "until", now, "lease", "300", "format", "1", "incarnation", "another"));
        Map<String, String> lease = new HashMap<>(Map.of(
                "candidacy", "gone.1", "node", "id=gone", "token", now, "since", now, "until", now, "lease", "300"));
        (key.equals("epoch") ? epoch : lease).put(field, value);
        server.call(redis -> redis.hset("election:{" + election + "}:epoch", epoch));
        server.call(redis -> redis.hset("election:{" + election + "}:lease", lease));
        assertThatSomebodyLeads(election);
    }

    static Stream<String> lockDelays() {
        return Stream.of(
                "by hand",
                "99999999999999999999 99999999999999999999 forgotten",
                "9223372036854775807 9223372036854775807 forgotten",
                "9007199254740991 9007199254740991 forgotten");
    }

    @ParameterizedTest
    @MethodSource("lockDelays")
    void a_lock_delay_lasts_no_longer_than_a_lease_may(String lockDelay) {
        String election = "e" + ++tests;
        server.call(redis -> redis.set("election:{" + election + "}:lock-delay", lockDelay));
        assertThatSomebodyLeads(election);
    }

    private static void assertThatSomebodyLeads(String election) {
        Candidate candidate = new Candidate(election, "one.1", new NodeInfo("one", "one:80"));
        Set<Object> replies = new HashSet<>();
        Nodes.await("a grant and its renewal").until(() -> {
            CampaignReply reply = store.campaign(new CampaignRequest(candidate, LEASE, 0, Duration.ofMillis(1)))
                    .toCompletableFuture()
                    .join();
            replies.add(reply);
            return reply instanceof CampaignReply.Granted granted
                    && renewal(candidate, granted) instanceof RenewReply.Renewed;
        });
        assertThat(replies)
                .allMatch(reply -> reply instanceof CampaignReply.Granted
                        || reply instanceof CampaignReply.Wait
                        || reply instanceof Held);
        assertThat(store.read(election).toCompletableFuture().join()).isInstanceOf(ReadReply.Read.class);
    }

    private static RenewReply renewal(Candidate candidate, CampaignReply.Granted granted) {
        return store.renew(new RenewRequest(candidate, granted.token(), granted.since(), granted.expiry(), LEASE))
                .toCompletableFuture()
                .join();
    }
}
