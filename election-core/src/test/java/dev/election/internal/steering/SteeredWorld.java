package dev.election.internal.steering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeadershipEvent;
import dev.election.LeadershipRecord;
import dev.election.NodeInfo;
import dev.election.Steering;
import dev.election.StoreView;
import dev.election.Timing;
import dev.election.internal.election.HandDrivenLoop;
import dev.election.internal.election.ProcessLoop;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.record.AtomicLeaseStore;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.ReadReply;
import dev.election.store.StoreRequest;
import dev.election.testing.EachEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Several processes over a store in memory, with time in the test's hand. Lease 15 s. */
final class SteeredWorld {

    static final Duration LEASE = Duration.ofSeconds(15);

    /** By then all that one change causes has happened. */
    static final Duration SOON = Duration.ofSeconds(2);

    final HandDrivenLoop loop = new HandDrivenLoop();
    final AtomicLeaseStore store = new AtomicLeaseStore(loop::millis, 100);
    private final List<Node> nodes = new ArrayList<>();
    private Runnable meanwhile = () -> {};
    private int reads;
    private boolean losesRead;
    private int changes;
    private final UnaryOperator<ElectionEngine.Builder> settings;

    SteeredWorld() {
        this(UnaryOperator.identity());
    }

    /** @param settings what all processes have beside their steering */
    SteeredWorld(UnaryOperator<ElectionEngine.Builder> settings) {
        this.settings = settings;
    }

    /** A process. */
    final class Node {

        private final ElectionEngine engine;
        private final Election election;
        private final List<LeadershipEvent> events = new ArrayList<>();
        private final ProcessLoop own = new ProcessLoop(loop);

        private Node(String id, Steering steering) {
            ElectionEngine.Builder builder = ElectionEngine.over(new ForwardingLeaseStore(store) {
                        @Override
                        public CompletionStage<ReadReply> read(String election) {
                            reads++;
                            boolean isLost = losesRead;
                            losesRead = false;
                            return isLost ? new CompletableFuture<>() : super.read(election);
                        }

                        @Override
                        public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
                            List<CompletionStage<?>> replies = super.send(requests);
                            meanwhile.run();
                            return replies;
                        }
                    })
                    .as(new NodeInfo(id, id + ":80"))
                    .timing(Timing.ofLease(LEASE))
                    .members(MemberSettings.none())
                    .steering(steering)
                    .loop(own, loop)
                    .callbacks(Runnable::run);
            engine = settings.apply(builder).build();
            election = engine.get("reports");
            election.addListener(new EachEvent(event -> {
                events.add(event);
                changes += event instanceof LeadershipEvent.Acquired ? 1 : 0;
            }));
            nodes.add(this);
        }

        ElectionEngine engine() {
            return engine;
        }

        Election election() {
            return election;
        }

        Members members() {
            return engine.members().orElseThrow();
        }

        long token() {
            return election.leadership().orElseThrow().token().value();
        }

        <E extends LeadershipEvent> List<E> events(Class<E> kind) {
            return events.stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        /** Its lease stays, and it is a member for a while. */
        void crash() {
            own.die();
            nodes.remove(this);
        }
    }

    /** One that is not started yet. */
    Node create(String id, Steering steering) {
        return new Node(id, steering);
    }

    Node start(String id, Steering steering) {
        Node node = create(id, steering);
        node.engine.start();
        pass(SOON);
        return node;
    }

    void stop(Node node) {
        CompletionStage<Void> stopped = node.engine.stop();
        pass(SOON);
        assertThat(stopped.toCompletableFuture()).isDone();
        nodes.remove(node);
    }

    /** Somebody does that while a request is under way. */
    void meanwhile(Runnable action) {
        meanwhile = action;
    }

    void pass(Duration time) {
        loop.pass(time);
    }

    String leader() {
        List<String> leaders = nodes.stream()
                .filter(node -> node.election.isLeader())
                .map(node -> node.engine.node())
                .toList();
        assertThat(leaders).hasSizeLessThan(2);
        return leaders.isEmpty() ? "nobody" : leaders.get(0);
    }

    /** The latest leadership first. */
    List<LeadershipRecord> history() {
        CompletionStage<ReadReply> read = store.read("reports");
        StoreView view = ((ReadReply.Read) read.toCompletableFuture().join()).view();
        return view.leaderships();
    }

    /** The next read is not answered. */
    void loseRead() {
        losesRead = true;
    }

    /** How often a process became leader. */
    int changes() {
        return changes;
    }

    /** How often a process has read the store. */
    int reads() {
        return reads;
    }
}
