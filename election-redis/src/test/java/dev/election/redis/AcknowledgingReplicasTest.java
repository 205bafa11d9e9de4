package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.harness.Link;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.NoAnswer;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A grant or a renewal counts only once as many replicas as are asked for have acknowledged it. */
@RealTime
class AcknowledgingReplicasTest {

    /** Replicas are waited for during a twentieth of it. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final Duration SHORT_LEASE = Duration.ofSeconds(4);

    private static final ElectionKeys KEYS = new ElectionKeys(Nodes.PREFIX);
    private static final Pattern WAITS = Pattern.compile("cmdstat_wait:calls=(\\d+)");

    @AutoClose
    private final Opened opened = new Opened();

    private RedisServer primary;
    private Link link;
    private RedisServer replica;

    @BeforeEach
    void replicate() {
        primary = opened.add(RedisServer.start(RedisBinary.REDIS_7_0, "--repl-diskless-sync-delay", "0"));
        link = opened.add(new Link(primary.port()));
        replica = replica();
        // A replica that has acknowledged nothing yet does not count.
        primary.call(redis -> redis.set("first", "write"));
        awaitInStep(replica);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "all"})
    void a_grant_counts_when_the_replica_has_it(String replicas) {
        RedisLeaseStore store = store(primary, replicas);
        CampaignReply.Granted granted = lead(store, "default");
        assertThat(replica.<String>call(redis -> redis.hget(KEYS.lease("default"), "token")))
                .isEqualTo(granted.token().toString());
        assertThat(waits()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "all"})
    void while_the_replica_hangs_neither_grant_nor_renewal_counts_and_both_do_afterwards(String replicas) {
        RedisLeaseStore store = store(primary, replicas);
        CampaignReply.Granted granted = lead(store, "default");
        replica.freeze();
        try {
            assertUnacknowledged(renew(store, "default", granted), 1);
            assertUnacknowledged(campaign(store, "default"), 1);
        } finally {
            replica.thaw();
        }
        assertThat(renew(store, "default", granted)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(campaign(store, "default"))
                .isInstanceOfSatisfying(CampaignReply.Granted.class, again -> assertThat(again.token())
                        .isEqualTo(granted.token()));
    }

    @Test
    void a_refusal_counts_without_replicas() {
        RedisLeaseStore store = store(primary, "1");
        lead(store, "default");
        replica.freeze();
        try {
            assertThat(ask(store.campaign(request("default", "other")))).isInstanceOf(Held.class);
        } finally {
            replica.thaw();
        }
    }

    /** What is waited for behind a script that the server does not know is what was written before. */
    @Test
    void a_script_that_is_sent_again_with_its_text_waits_again() {
        RedisLeaseStore store = store(primary, "1");
        CampaignReply.Granted granted = lead(store, "default");
        awaitInStep(replica);
        replica.freeze();
        try {
            primary.call(redis -> redis.scriptFlush());
            assertUnacknowledged(renew(store, "default", granted), 1);
        } finally {
            replica.thaw();
        }
    }

    @Test
    void several_elections_wait_once_and_each_knows_for_itself() {
        RedisLeaseStore store = store(primary, "1");
        List<String> elections = List.of("a", "b", "c");
        List<CampaignReply.Granted> grants =
                elections.stream().map(election -> lead(store, election)).toList();
        renewTogether(store, elections, grants);
        long before = waits();
        assertThat(renewTogether(store, elections, grants)).hasOnlyElementsOfType(RenewReply.Renewed.class);
        assertThat(waits()).isEqualTo(before + 1);
        replica.freeze();
        try {
            assertThat(renewTogether(store, elections, grants)).allSatisfy(reply -> assertUnacknowledged(reply, 1));
        } finally {
            replica.thaw();
        }
    }

    @Test
    void all_are_as_many_as_the_record_has_seen_and_not_as_the_primary_counts() {
        RedisServer second = replica();
        RedisLeaseStore store = store(primary, "all");
        CampaignReply.Granted granted = lead(store, "default");
        second.kill();
        Nodes.await("the primary to have one replica left")
                .until(() ->
                        primary.<String>call(redis -> redis.info("replication")).contains("connected_slaves:1"));
        assertUnacknowledged(renew(store, "default", granted), 2);
        RedisLeaseStore young = store(primary, "all");
        assertUnacknowledged(renew(young, "default", granted), 2);
        assertThat(renew(store(primary, "1"), "default", granted)).isInstanceOf(RenewReply.Renewed.class);
        second.restart();
        Nodes.await("the replica to count again")
                .until(() -> renew(young, "default", granted) instanceof RenewReply.Renewed);
    }

    /** One of two hangs, so that the wait for the first, of which the process knows, ends before that for both. */
    @Test
    void the_first_grant_to_a_process_waits_for_all_at_once() {
        RedisServer second = replica();
        lead(store(primary, "all"), "default");
        second.freeze();
        try {
            // The other may take too long, too, and then a wait for both is of no use.
            long waits = Nodes.await("one of two to acknowledge")
                    .until(this::waitsOfFirstGrantThatOneAcknowledges, OptionalLong::isPresent)
                    .getAsLong();
            assertThat(waits).isEqualTo(2);
        } finally {
            second.thaw();
        }
    }

    /** To a process that knows of no grant; empty if none or both have acknowledged it. */
    private OptionalLong waitsOfFirstGrantThatOneAcknowledges() {
        long before = waits();
        CampaignReply reply = campaign(store(primary, "all"), "default");
        return reply instanceof NoAnswer failure && failure.detail().equals("acknowledged by 1 of 2 replicas")
                ? OptionalLong.of(waits() - before)
                : OptionalLong.empty();
    }

    @Test
    void all_is_at_least_one() {
        RedisServer alone = opened.add(RedisServer.start(RedisBinary.REDIS_7_0));
        RedisLeaseStore store = store(alone, "all");
        Nodes.await("the settle time").until(() -> !(campaign(store, "default") instanceof CampaignReply.Wait));
        assertUnacknowledged(campaign(store, "default"), 1);
    }

    @Test
    void without_it_nobody_waits() {
        lead(store(primary, "0"), "default");
        assertThat(waits()).isZero();
    }

    /** The link hangs, so the primary goes on counting the replica as attached. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "all"})
    void a_leader_at_a_primary_whose_replica_is_promoted_behind_its_back_never_leads_beside_the_next(String replicas) {
        try (Nodes nodes = Nodes.start(0, SHORT_LEASE, RedisAccess.at(primary.uri()))) {
            Node first = nodes.join(store(primary, replicas, SHORT_LEASE));
            nodes.awaitLeader();
            link.stall(Duration.ofMinutes(1));
            replica.call(redis -> redis.replicaofNoOne());
            Node second = nodes.join(store(replica, replicas, SHORT_LEASE));
            nodes.awaitProblem(StoreProblem.TOO_FEW_REPLICAS, List.of(first));
            nodes.awaitNoLeader();
            // Granted, but the new primary has no replica yet.
            nodes.awaitProblem(StoreProblem.TOO_FEW_REPLICAS, List.of(second));
            assertThat(nodes.all()).noneMatch(Node::isLeader);
            primary.call(redis -> redis.replicaof("127.0.0.1", replica.port()));
            Nodes.await("the next leader").until(second::isLeader);
        }
    }

    @Test
    void a_setting_is_a_number_or_all() {
        assertThat(AcknowledgingReplicas.of("2")).isEqualTo(new AcknowledgingReplicas(2));
        assertThat(AcknowledgingReplicas.of("ALL")).isEqualTo(AcknowledgingReplicas.ALL);
        assertThat(AcknowledgingReplicas.of("0")).isEqualTo(AcknowledgingReplicas.NONE);
        for (String wrong : List.of("", "-1", "most", "1.5")) {
            assertThatThrownBy(() -> AcknowledgingReplicas.of(wrong)).hasMessageContaining("'" + wrong + "'");
        }
    }

    private RedisServer replica() {
        String port = Integer.toString(link.port());
        RedisServer server = opened.add(RedisServer.start(RedisBinary.REDIS_7_0, "--replicaof", "127.0.0.1", port));
        awaitInStep(server);
        return server;
    }

    /** Waits until all replicas of the primary, with this one, have acknowledged all that was written. */
    private void awaitInStep(RedisServer replica) {
        Nodes.await("the replica " + replica.port()).until(() -> {
            String info = primary.call(redis -> redis.info("replication"));
            Matcher offset = Pattern.compile("master_repl_offset:(\\d+)").matcher(info);
            return info.contains(",port=" + replica.port() + ",")
                    && offset.find()
                    && info.lines()
                            .filter(line -> line.startsWith("slave"))
                            .allMatch(line -> line.contains("state=online,offset=" + offset.group(1)));
        });
    }

    private RedisLeaseStore store(RedisServer server, String replicas) {
        return store(server, replicas, LEASE);
    }

    private RedisLeaseStore store(RedisServer server, String replicas, Duration lease) {
        return opened.add(RedisLeaseStore.open(
                RedisAccess.at(server.uri()),
                lease,
                RedisSettings.of(RedisKeySpace.of(Nodes.PREFIX))
                        .history(0)
                        .replicas(AcknowledgingReplicas.of(replicas))));
    }

    private static CampaignReply.Granted lead(RedisLeaseStore store, String election) {
        return (CampaignReply.Granted) Nodes.await("a grant")
                .until(() -> campaign(store, election), reply -> reply instanceof CampaignReply.Granted);
    }

    private static CampaignReply campaign(RedisLeaseStore store, String election) {
        return ask(store.campaign(request(election, "one")));
    }

    private static CampaignRequest request(String election, String candidacy) {
        return new CampaignRequest(candidate(election, candidacy), LEASE, 0, Duration.ofMillis(1));
    }

    private static Candidate candidate(String election, String candidacy) {
        return new Candidate(election, candidacy, new NodeInfo(candidacy, candidacy + ":80"));
    }

    private static RenewReply renew(RedisLeaseStore store, String election, CampaignReply.Granted granted) {
        return ask(store.renew(renewal(election, granted)));
    }

    private static RenewRequest renewal(String election, CampaignReply.Granted granted) {
        return new RenewRequest(candidate(election, "one"), granted.token(), granted.since(), granted.expiry(), LEASE);
    }

    private static List<RenewReply> renewTogether(
            RedisLeaseStore store, List<String> elections, List<CampaignReply.Granted> grants) {
        List<RenewRequest> renewals = IntStream.range(0, elections.size())
                .mapToObj(i -> renewal(elections.get(i), grants.get(i)))
                .toList();
        return store.send(renewals).stream()
                .<RenewReply>map(reply -> (RenewReply) ask(reply))
                .toList();
    }

    private static void assertUnacknowledged(Object reply, int needed) {
        assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, failure -> {
            assertThat(failure.problem()).isEqualTo(StoreProblem.TOO_FEW_REPLICAS);
            assertThat(failure.detail()).startsWith("acknowledged by ").endsWith(" of " + needed + " replicas");
            assertThat(failure.action()).contains("set acknowledgingReplicas to");
        });
    }

    private long waits() {
        Matcher waits = WAITS.matcher(primary.<String>call(redis -> redis.info("commandstats")));
        return waits.find() ? Long.parseLong(waits.group(1)) : 0;
    }

    private static <T> T ask(CompletionStage<T> reply) {
        return reply.toCompletableFuture().join();
    }
}
