package dev.election.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.LeadershipEvent;
import dev.election.LeadershipEvent.StoreFailed;
import dev.election.LeadershipEvent.StoreRecovered;
import dev.election.StoreProblem;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Several nodes that contend in one election and are watched all the time. Closing them checks what must hold whatever the test
 * did: never two leaders at once, tokens that rise, no problem announced twice an incident.
 */
public final class Nodes implements AutoCloseable {

    public static final String PREFIX = "faults";

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final Duration lease;
    private final RedisAccess access;
    private final String election;
    private final Journal journal = new Journal();
    private final List<Node> nodes = new CopyOnWriteArrayList<>();
    private final LeaderWatch watch = new LeaderWatch(nodes);
    private int started;

    private Nodes(Duration lease, RedisAccess access, String election) {
        this.lease = lease;
        this.access = access;
        this.election = election;
    }

    public static Nodes start(int count, Duration lease, RedisAccess access) {
        return start(count, lease, access, Election.DEFAULT);
    }

    public static Nodes start(int count, Duration lease, RedisAccess access, String election) {
        Nodes nodes = new Nodes(lease, access, election);
        nodes.join(count);
        return nodes;
    }

    /** So many more. */
    public void join(int count) {
        join(count, access);
    }

    /** So many more, which reach the store by another way. */
    public void join(int count, RedisAccess access) {
        for (int i = 0; i < count; i++) {
            join(RedisLeaseStore.open(access, PREFIX, lease));
        }
    }

    /** One more, over that store, which is closed with it. */
    public Node join(RedisLeaseStore store) {
        started++;
        Node node = new Node("n" + started, store, election, lease, journal);
        nodes.add(node);
        return node;
    }

    public List<Node> all() {
        return List.copyOf(nodes);
    }

    public List<Node> others(Node node) {
        return nodes.stream().filter(other -> other != node).toList();
    }

    public Journal journal() {
        return journal;
    }

    /** Ends all of them, in that way and all at once. */
    public void end(Consumer<Node> way) {
        List<Node> ending = all();
        CompletableFuture.allOf(ending.stream()
                        .map(node ->
                                CompletableFuture.runAsync(() -> way.accept(node), task -> new Thread(task).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
        nodes.removeAll(ending);
    }

    /** Waits until somebody leads. */
    public Node awaitLeader() {
        return await("a leader")
                .until(() -> nodes.stream().filter(Node::isLeader).findFirst(), found -> found.isPresent())
                .orElseThrow();
    }

    /** Waits until somebody leads who was granted that after that token. */
    public Node awaitLeaderAfter(FencingToken token) {
        return await("a leader after " + token)
                .until(
                        () -> nodes.stream()
                                .filter(node -> node.token()
                                        .filter(next -> next.isNewerThan(token))
                                        .isPresent())
                                .findFirst(),
                        found -> found.isPresent())
                .orElseThrow();
    }

    public void awaitNoLeader() {
        await("no leader").until(() -> nodes.stream().noneMatch(Node::isLeader));
    }

    /** Waits until these nodes have announced that problem. */
    public void awaitProblem(StoreProblem problem, List<Node> witnesses) {
        await(problem + " announced by " + witnesses).untilAsserted(() -> assertThat(witnesses)
                .as("%s", journal.entries())
                .allMatch(node -> journal.events(StoreFailed.class, node.id()).stream()
                        .anyMatch(failed -> failed.problem() == problem)));
    }

    /** Waits until every node that has announced a problem has announced its end. */
    public void awaitRecovery() {
        await("recovery")
                .untilAsserted(
                        () -> assertThat(nodes).as("%s", journal.entries()).allMatch(node -> isWell(node.id())));
    }

    /** Looks on for that long, and checks that the same leadership goes on all the time. */
    public void assertThatLeadershipLasts(Node leader, FencingToken token, Duration time) {
        await("the leadership of " + leader + " with " + token)
                .during(time)
                .atMost(time.plus(LONGEST_WAIT))
                .failFast(() ->
                        assertThat(leader.token()).as("%s", journal.entries()).contains(token))
                .until(() -> true);
    }

    /**
     * Waits for two renewals, the second of which was sent after this call, and checks that the same leadership goes on until
     * then. With a lease that outlasts any pause of the machine that says more than to look on for one that does not.
     */
    public void assertThatLeadershipIsRenewed(Node leader, FencingToken token) {
        for (int i = 0; i < 2; i++) {
            AtomicReference<Duration> least = new AtomicReference<>(remaining(leader, token));
            await("a renewal of " + leader + " with " + token).until(() -> {
                Duration now = remaining(leader, token);
                return now.compareTo(least.getAndSet(now)) > 0;
            });
        }
    }

    private Duration remaining(Node leader, FencingToken token) {
        Optional<Leadership> leadership = leader.election().leadership();
        assertThat(leadership.map(Leadership::token))
                .as("%s", journal.entries())
                .contains(token);
        return leadership.orElseThrow().remaining();
    }

    /** Looks on for that long, and checks that it is quiet but for answers that were late. */
    public void assertThatNothingMoreIsAnnounced(Duration time) {
        List<Journal.Entry> before = answered();
        await("nothing")
                .during(time)
                .atMost(time.plus(LONGEST_WAIT))
                .failFast(() -> assertThat(answered()).isEqualTo(before))
                .until(() -> true);
    }

    private List<Journal.Entry> answered() {
        return journal.entries().stream()
                .filter(entry ->
                        !(entry.event() instanceof StoreFailed failed) || failed.problem() != StoreProblem.TIMED_OUT)
                .toList();
    }

    @Override
    public void close() {
        end(Node::close);
        watch.close();
        watch.assertThatNeverTwoLed();
        journal.assertThatTokensRise();
        journal.assertThatEachProblemIsAnnouncedOnceAnIncident();
    }

    /** Waits in small steps, and not for ever. */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(LONGEST_WAIT);
    }

    private boolean isWell(String node) {
        LeadershipEvent last = null;
        for (Journal.Entry entry : journal.entries()) {
            boolean isStore = entry.event() instanceof StoreFailed || entry.event() instanceof StoreRecovered;
            last = isStore && entry.node().equals(node) ? entry.event() : last;
        }
        return !(last instanceof StoreFailed);
    }
}
