package dev.election.internal.engine;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.Steering;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.steering.HandOver;
import dev.election.internal.steering.Succession;
import dev.election.members.Member;
import dev.election.store.LeaseStore;
import dev.election.store.ReadReply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the leadership of one election over when {@link HandOver} says so. The store is read only when a hand-over is due, for its history. On
 * the loop.
 */
final class HandOvers {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** For how long leadership is reserved for the successor, and for how long this node does not campaign. */
    private static final Duration RESERVE = Duration.ofSeconds(3);

    private final String election;
    private final Steering steering;
    private final ElectionRunner runner;
    private final Membership membership;
    private final LeaseStore store;
    private final Duration lease;
    private final Loop loop;
    private final Clock clock;

    /** The leadership that all of the following is about. */
    private @Nullable FencingToken token;

    /** How long this node leads at least before it is preempted, {@code null} while the history is not known. */
    private @Nullable Duration wait;

    /** When the history was asked for, {@code null} if no answer is awaited. */
    private @Nullable Long askedAt;

    private int inVain;

    /** From when the wait counts: the beginning of the leadership, or the latest try. */
    private long begun;

    private @Nullable String better;
    private long betterSince;
    private Loop.@Nullable Alarm alarm;

    HandOvers(
            String election,
            Steering steering,
            ElectionRunner runner,
            Membership membership,
            LeaseStore store,
            Duration lease,
            Loop loop,
            Clock clock) {
        this.election = election;
        this.steering = steering;
        this.runner = runner;
        this.membership = membership;
        this.store = store;
        this.lease = lease;
        this.loop = loop;
        this.clock = clock;
    }

    /** The copy of the members, or the role of this process, may have changed. */
    void look() {
        HeldLease held = runner.tenure();
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        if (held == null) {
            return;
        }
        if (!held.token().equals(token)) {
            token = held.token();
            wait = null;
            inVain = 0;
            begun = held.begun();
            better = null;
        }
        plan(held.token());
    }

    private void plan(FencingToken present) {
        KnownMembers known = membership.known();
        Long confirmedAt = known.confirmedAt();
        if (confirmedAt == null || !known.isStoreReachable()) {
            better = null;
            return;
        }
        String own = membership.own().instance();
        Succession order = Succession.of(election, known.allConfirmed(), steering);
        String now = order.successorOf(own).map(Member::instance).orElse(null);
        if (now == null || !now.equals(better)) {
            better = now;
            betterSince = confirmedAt;
        }
        boolean isConfirmed = better != null && confirmedAt - betterSince >= lease.toNanos();
        HandOver.of(order, steering, own, begun, isConfirmed, wait == null ? steering.minimumTenure() : wait)
                .ifPresent(due -> carryOut(due, present));
    }

    private void carryOut(HandOver due, FencingToken present) {
        if (due.at() - clock.nanos() > 0) {
            alarm = loop.alarm(due.at(), this::look);
        } else if (due.isPreemption() && wait == null) {
            readHistory(present);
        } else {
            log.info(
                    "This node hands the election '{}' over to {}: {}",
                    election,
                    due.successor().id(),
                    due.reason());
            inVain++;
            begun = clock.nanos();
            wait = null;
            runner.handOver(new Abdication(null, RESERVE, due.successor().id(), RESERVE, due.reason()));
        }
    }

    private void readHistory(FencingToken present) {
        Long asked = askedAt;
        if (asked == null || clock.nanos() - asked > lease.toNanos()) {
            askedAt = clock.nanos();
            store.read(election)
                    .thenAccept(reply -> loop.offer(() -> {
                        askedAt = null;
                        if (present.equals(token) && reply instanceof ReadReply.Read read) {
                            wait = HandOver.waitAfter(read.view().leaderships(), inVain, steering, lease);
                            look();
                        }
                    }));
        }
    }
}
