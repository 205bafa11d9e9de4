package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.LeadershipEvent;
import dev.election.NodeInfo;
import dev.election.Steering;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.members.MemberSettings;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.EachEvent;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Four processes share twenty elections out. */
@RealTime
class BalancedElectionsTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final List<String> ELECTIONS =
            IntStream.range(0, 20).mapToObj(i -> "orders." + i).toList();

    /** Five have to. Whoever is the first to ask for a lease that is free may not be the one who should lead, and gives it away. */
    private static final int MOST_MOVES = 10;

    private final Queue<String> begun = new ConcurrentLinkedQueue<>();

    @Test
    void four_processes_lead_five_each_and_share_out_what_one_leaves_and_comes_back_for() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            List<Process> processes = new ArrayList<>();
            try {
                for (String id : List.of("a", "b", "c", "d")) {
                    processes.add(new Process(server, id));
                }
                Nodes.await("five each").until(() -> shares(processes).equals(List.of(5, 5, 5, 5)));
                awaitRest();

                List<String> left = processes.get(3).led();
                processes.remove(3).close();
                Nodes.await("all led").until(() -> shares(processes).equals(List.of(6, 7, 7)));
                assertThat(begun).extracting(line -> line.split(" ")[0]).containsAll(left);
                assertThat(begun).as("moves").hasSizeLessThanOrEqualTo(MOST_MOVES);
                awaitRest();

                processes.add(new Process(server, "d"));
                Nodes.await("five each").until(() -> shares(processes).equals(List.of(5, 5, 5, 5)));
                assertThat(begun)
                        .as("moves")
                        .hasSizeLessThanOrEqualTo(MOST_MOVES)
                        .filteredOn(line -> line.endsWith(" d"))
                        .hasSizeGreaterThanOrEqualTo(5);
            } finally {
                processes.forEach(Process::close);
            }
        }
    }

    /** Waits until nothing has moved for some leases. */
    private void awaitRest() {
        AtomicInteger moves = new AtomicInteger(-1);
        AtomicLong since = new AtomicLong();
        Nodes.await("no moves").atMost(LEASE.multipliedBy(12)).until(() -> {
            if (moves.getAndSet(begun.size()) != moves.get()) {
                since.set(System.nanoTime());
            }
            return System.nanoTime() - since.get() > 3 * LEASE.toNanos();
        });
        begun.clear();
    }

    /** Returns the numbers of elections that they lead, the smallest first, if their listeners have been told of all; otherwise nothing. */
    private static List<Integer> shares(List<Process> processes) {
        if (!processes.stream().allMatch(Process::isTold)) {
            return List.of();
        }
        List<Integer> shares = new ArrayList<>();
        processes.forEach(process -> shares.add(process.led().size()));
        Collections.sort(shares);
        return shares;
    }

    /** A process, but for the process. */
    private final class Process implements AutoCloseable {

        private final RedisLeaseStore store;
        private final ElectionEngine engine;
        private final Set<String> heard = ConcurrentHashMap.newKeySet();

        Process(RedisServer server, String id) {
            store = RedisLeaseStore.open(RedisAccess.at(server.uri()), "balanced", LEASE);
            engine = ElectionEngine.over(store)
                    .as(new NodeInfo(id, "host"))
                    .timing(Timing.ofLease(LEASE))
                    .members(MemberSettings.none())
                    .steering(Steering.none().balance(true))
                    .build();
            for (String name : ELECTIONS) {
                engine.get(name).addListener(new EachEvent(event -> {
                    if (event instanceof LeadershipEvent.Acquired) {
                        begun.add(name + " " + id);
                        heard.add(name);
                    } else if (event instanceof LeadershipEvent.Lost) {
                        heard.remove(name);
                    }
                }));
            }
            engine.start();
        }

        /** Whether the listeners have been told of everything that it leads. */
        boolean isTold() {
            return heard.equals(Set.copyOf(led()));
        }

        List<String> led() {
            return ELECTIONS.stream()
                    .filter(name -> engine.get(name).isLeader())
                    .toList();
        }

        @Override
        public void close() {
            engine.close();
            store.close();
        }
    }
}
