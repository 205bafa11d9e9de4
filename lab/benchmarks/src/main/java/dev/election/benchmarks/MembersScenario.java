package dev.election.benchmarks;

import dev.election.Abdication;
import dev.election.harness.Wait;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** How soon members see each other, and how soon one leads after the other, with that many of them in this JVM. */
final class MembersScenario implements Scenario {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int ROUNDS = 5;

    private final int count;
    private final List<Peer> peers = new ArrayList<>();

    /**
     * Creates it.
     *
     * @param count how many members there are before and after each round
     */
    MembersScenario(int count) {
        this.count = count;
    }

    @Override
    public List<Row> run() throws IOException {
        Samples registered = new Samples();
        Samples joined = new Samples();
        Samples stopped = new Samples();
        Samples handedOver = new Samples();
        Samples killed = new Samples();
        Samples failedOver = new Samples();
        try (Lab lab = new Lab()) {
            int port = lab.redis().port();
            for (int i = 0; i < count; i++) {
                peers.add(Peer.start(port, "m" + i, LEASE));
            }
            awaitAll();
            for (int round = 0; round < ROUNDS; round++) {
                Peer guest = Peer.start(port, "guest" + round, LEASE);
                registered.add(guest.joined(guest) - guest.startedAt());
                joined.add(last(peer -> peer.joined(guest)) - guest.startedAt());
                handedOver.add(handOver(guest));
                long stopping = System.nanoTime();
                guest.close();
                stopped.add(last(peer -> peer.left(guest)) - stopping);

                Peer victim = Peer.start(port, "victim" + round, LEASE);
                last(peer -> peer.joined(victim));
                handOver(victim);
                peers.forEach(Peer::forgetLeadership);
                long cut = victim.cutOff();
                failedOver.add(
                        CompletableFuture.anyOf(peers.stream().map(Peer::leads).toArray(CompletableFuture[]::new))
                                        .thenApply(Long.class::cast)
                                        .orTimeout(60, TimeUnit.SECONDS)
                                        .join()
                                - cut);
                killed.add(last(peer -> peer.left(victim)) - cut);
                victim.close();
            }
        } finally {
            peers.forEach(Peer::close);
        }
        return List.of(
                row("`start()` to registered", "<= 10 ms", registered),
                row("`start()` to seen by all", "<= 100 ms", joined),
                row("`abdicate` to the next leader", "<= 100 ms", handedOver),
                row("`close()` to seen by all as gone", "<= 100 ms", stopped),
                row("the leader is cut off, to the next leader", "one lease (2 s)", failedOver),
                row("a member is cut off, to seen by all as gone", "2.5 to 4.1 leases (8.2 s)", killed));
    }

    private Row row(String what, String target, Samples samples) {
        return new Row(count + " members: " + what, target, samples.toString());
    }

    private void awaitAll() {
        for (Peer one : peers) {
            last(peer -> peer.joined(one));
        }
    }

    /** When the last of the peers had seen it. */
    private long last(ToLongFunction<Peer> when) {
        return peers.stream().mapToLong(when).max().orElseThrow();
    }

    private Optional<Peer> leader() {
        return peers.stream().filter(peer -> peer.election().isLeader()).findAny();
    }

    /** From the request to the leader until that one leads. */
    private long handOver(Peer successor) {
        Wait.until("a leader", Duration.ofMinutes(1), () -> leader().isPresent());
        Peer leader = leader().orElseThrow();
        long asked = System.nanoTime();
        var unused = leader.election().abdicate(Abdication.to(successor.id()));
        return successor.leads().orTimeout(60, TimeUnit.SECONDS).join() - asked;
    }
}
