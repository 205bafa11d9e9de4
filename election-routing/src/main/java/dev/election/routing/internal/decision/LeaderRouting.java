package dev.election.routing.internal.decision;

import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.members.Member;
import dev.election.members.Members;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Decides where a request is served. While nobody is known to lead, the decision waits for news of the election and of the members, on no
 * thread, for a bounded time and a bounded number of requests.
 */
public final class LeaderRouting {

    private static final long LOOK_AGAIN_MILLIS = 50;

    private final Elections elections;
    private final Members members;
    private final Duration wait;
    private final int mostWaiting;
    private final AtomicInteger places = new AtomicInteger();
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();

    /**
     * @param elections of this node
     * @param members to which requests are sent
     * @param wait how long a decision waits for a leader
     * @param mostWaiting how many decisions wait at a time
     */
    public LeaderRouting(Elections elections, Members members, Duration wait, int mostWaiting) {
        this.elections = elections;
        this.members = members;
        this.wait = wait;
        this.mostWaiting = mostWaiting;
    }

    /** Hears from now on what waiting decisions wait for. Called once. */
    public void listen() {
        elections.addListener(new LeadershipListener() {
            @Override
            public void onEvent(LeadershipEvent event) {
                waiting.forEach(Waiting::look);
            }
        });
        members.addListener(event -> waiting.forEach(Waiting::look));
    }

    /** Decides where a request of a client is served. Fails with a {@link TimeoutException} if nobody has led in time. */
    public CompletableFuture<RoutingDecision> decide(String name) {
        Election election = elections.get(name);
        return await(election, () -> lookHere(election));
    }

    /** Decides whether a request that another node has forwarded is served here. */
    public RoutingDecision decide(String name, String hop) {
        Election election = elections.get(name);
        Hop came = Hop.parse(hop);
        Optional<LeaderWork> work =
                came != null && came.election().equals(name) ? election.beginWork() : Optional.empty();
        if (work.isPresent() && came != null && work.get().token().equals(came.token())) {
            return new RoutingDecision.Here(work.get());
        }
        work.ifPresent(LeaderWork::close);
        return new RoutingDecision.Nowhere(new Problem(
                HttpStatus.MISDIRECTED_REQUEST,
                Problem.MISDIRECTED,
                "The request was forwarded to this node as the leader, but this node does not lead under the token of the"
                        + " request. Nothing was carried out",
                // The sender compares this name with the election of its own hop.
                came == null ? name : came.election(),
                nodeOfLeader(election),
                null));
    }

    /**
     * Finds the leader for a request that is sent to it in any case. This node may be the leader itself. Fails with a {@link TimeoutException} if
     * there is none in time.
     *
     * @param butNot the token of a leader that has not carried out the request, {@code null} for none
     */
    public CompletableFuture<RoutingDecision> find(String name, @Nullable FencingToken butNot) {
        Election election = elections.get(name);
        return await(election, () -> election.leader()
                .filter(leader -> !leader.token().equals(butNot))
                .flatMap(leader -> onMember(name, leader)));
    }

    /** The leader that is known now, without a wait. */
    public Optional<RoutingDecision> present(String name) {
        return elections.get(name).leader().flatMap(leader -> onMember(name, leader));
    }

    /** The response to a request for which nobody has led in time. */
    public Problem nobodyLed(String name) {
        Election election = elections.get(name);
        Leader leader = election.leader().orElse(null);
        String detail;
        if (leader == null) {
            detail = "No node leads the election at present";
        } else if (leader.node().equals(elections.node())) {
            detail = "This node is giving up leadership, and no other node leads yet";
        } else if (member(leader) == null) {
            detail = "The leader says no address to which requests can be sent (election.node.uri)";
        } else {
            detail = "The leader can't be reached";
        }
        return unavailable(election, "leaderless", detail + ". Nothing was carried out");
    }

    /** The response 503, with the end of the lease as the time to try again. */
    public Problem unavailable(String name, String outcome, String detail) {
        return unavailable(elections.get(name), outcome, detail);
    }

    private Problem unavailable(Election election, String outcome, String detail) {
        return new Problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                outcome,
                detail,
                election.name(),
                nodeOfLeader(election),
                new Problem.Retry.Later(election.leaseRemaining()));
    }

    private Optional<RoutingDecision> lookHere(Election election) {
        Optional<LeaderWork> work = election.beginWork();
        if (work.isPresent()) {
            return work.map(RoutingDecision.Here::new);
        }
        return election.leader()
                .filter(leader -> !leader.node().equals(elections.node()))
                .flatMap(leader -> onMember(election.name(), leader));
    }

    private Optional<RoutingDecision> onMember(String election, Leader leader) {
        Member member = member(leader);
        URI uri = member == null ? null : MemberUris.uri(member);
        return member == null || uri == null
                ? Optional.empty()
                : Optional.of(new RoutingDecision.OnLeader(
                        election, leader.node(), leader.token(), uri, MemberUris.publicUri(member)));
    }

    private @Nullable Member member(Leader leader) {
        // Of what messages say alone nothing is believed: requests carry credentials.
        return members.confirmed(leader.node())
                .filter(member -> MemberUris.uri(member) != null)
                .orElse(null);
    }

    private static @Nullable String nodeOfLeader(Election election) {
        return election.leader().map(Leader::node).orElse(null);
    }

    private CompletableFuture<RoutingDecision> await(Election election, Supplier<Optional<RoutingDecision>> look) {
        Optional<RoutingDecision> now = look.get();
        if (now.isPresent()) {
            return CompletableFuture.completedFuture(now.get());
        }
        if (places.incrementAndGet() > mostWaiting) {
            places.decrementAndGet();
            return CompletableFuture.completedFuture(new RoutingDecision.Nowhere(unavailable(
                    election,
                    "leaderless",
                    "No node leads the election at present, and too many requests wait for a leader already."
                            + " Nothing was carried out")));
        }
        Waiting place = new Waiting(look);
        waiting.add(place);
        var unused = place.whenComplete((decision, end) -> {
            waiting.remove(place);
            places.decrementAndGet();
        });
        place.lookAgain();
        return place.orTimeout(wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static final class Waiting extends CompletableFuture<RoutingDecision> {

        private final Supplier<Optional<RoutingDecision>> look;

        private Waiting(Supplier<Optional<RoutingDecision>> look) {
            this.look = look;
        }

        /** There is no event when the store confirms what a message has said, nor for what has changed before the place was taken. */
        private void lookAgain() {
            look();
            if (!isDone()) {
                CompletableFuture.delayedExecutor(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
                        .execute(this::lookAgain);
            }
        }

        /** The request may have been given up meanwhile: its work would never end. */
        private void look() {
            if (isDone()) {
                return;
            }
            look.get().ifPresent(decision -> {
                if (!complete(decision) && decision instanceof RoutingDecision.Here here) {
                    here.work().close();
                }
            });
        }
    }
}
