package dev.election.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Steering;
import dev.election.Timing;
import dev.election.internal.election.HandDrivenLoop;
import dev.election.internal.election.ProcessLoop;
import dev.election.members.MemberSettings;
import dev.election.partitions.PartitionGroup;
import dev.election.record.AtomicLeaseStore;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Processes that share the group {@code orders} over a store in memory, with time in the test's hand. Lease 15 s. */
final class PartitionedWorld {

    static final Duration LEASE = Duration.ofSeconds(15);

    /** The time within which all that one change causes has happened, but for moves. */
    static final Duration SOON = Duration.ofSeconds(2);

    /** The time within which a process takes part in a group whose count the store did not have. */
    static final Duration START = Duration.ofSeconds(5);

    final HandDrivenLoop loop = new HandDrivenLoop();
    final AtomicLeaseStore store = new AtomicLeaseStore(loop::millis, 100);
    final InMemoryLedgerStore ledgers = new InMemoryLedgerStore();
    private final List<Process> processes = new ArrayList<>();

    /** A process, but for the process. */
    final class Process {

        final ElectionEngine engine;
        final PartitionGroup orders;
        private final ProcessLoop own = new ProcessLoop(loop);

        private Process(String id, UnaryOperator<ElectionEngine.Builder> how) {
            ElectionEngine.Builder builder = ElectionEngine.over(new ForwardingLeaseStore(store) {
                        @Override
                        public Optional<LedgerStore> ledgerStore() {
                            return Optional.of(ledgers);
                        }

                        @Override
                        public StoreTraits traits() {
                            return super.traits().settlingFor(Duration.ofMillis(200));
                        }

                        @Override
                        public boolean sendsTogether() {
                            return true;
                        }
                    })
                    .as(new NodeInfo(id, id + ":80"))
                    .timing(Timing.ofLease(LEASE))
                    .members(MemberSettings.none())
                    .steering(Steering.none())
                    .loop(own, loop)
                    .callbacks(Runnable::run);
            engine = how.apply(builder).build();
            orders = engine.partitions().of("orders");
            processes.add(this);
        }

        /** Its leases stay, and it is a member for a while. */
        void crash() {
            own.die();
            processes.remove(this);
        }

        /** Nothing happens in it until {@link #resume}. */
        void stall() {
            own.stall();
        }

        void resume() {
            own.resume();
            pass(SOON);
        }

        void stop() {
            var stopped = engine.stop();
            pass(SOON);
            assertThat(stopped.toCompletableFuture()).isDone();
        }

        boolean works(int index) {
            return orders.election(index)
                    .beginWork()
                    .map(work -> {
                        work.close();
                        return true;
                    })
                    .orElse(false);
        }
    }

    Process create(String id, int count) {
        return create(id, builder -> builder.partitions("orders", count));
    }

    /** One that leads one partition at most. */
    Process createForOne(String id, int count) {
        return create(id, builder -> builder.partitions("orders", count).onePerProcess("orders"));
    }

    Process create(String id, UnaryOperator<ElectionEngine.Builder> how) {
        return new Process(id, how);
    }

    /** One that starts, and does what it does at once. */
    Process start(String id, int count) {
        Process process = create(id, count);
        process.engine.start();
        pass(START);
        return process;
    }

    void pass(Duration time) {
        loop.pass(time);
    }

    /** All data of the store is lost. */
    void flush() {
        IntStream.range(0, 256).forEach(index -> store.of("orders." + index).forget());
        store.members().forget();
        ledgers.forget();
    }

    /** The count in the store, empty if there is none. */
    String stored() {
        return entries().getOrDefault("count", "");
    }

    private Map<String, String> entries() {
        var reply = ledgers.beside("partitions")
                .read("orders.0")
                .toCompletableFuture()
                .join();
        return ((LedgerStore.Contents) reply).entries();
    }

    /** How many each process leads. */
    List<Integer> shares() {
        return processes.stream()
                .map(process -> process.orders.held().size())
                .sorted()
                .toList();
    }

    /** The counts of the processes that work on some partition. */
    Set<Integer> countsAtWork() {
        return Set.copyOf(processes.stream()
                .filter(process -> process.orders.held().stream().anyMatch(process::works))
                .map(process -> process.orders.count())
                .toList());
    }
}
