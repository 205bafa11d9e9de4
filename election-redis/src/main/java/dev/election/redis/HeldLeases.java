package dev.election.redis;

import dev.election.store.CampaignReply;
import dev.election.store.RenewReply;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Tracks until when this process may hold a lease, counted from when the request was sent, as leaders count. */
final class HeldLeases {

    /** Latest end of a lease, on the monotonic clock. */
    private final AtomicLong until = new AtomicLong(System.nanoTime());

    CampaignReply see(CampaignReply reply, long sentAt, Duration lease) {
        if (reply instanceof CampaignReply.Granted) {
            held(sentAt + lease.toNanos());
        }
        return reply;
    }

    RenewReply see(RenewReply reply, long sentAt, Duration lease) {
        if (reply instanceof RenewReply.Renewed) {
            held(sentAt + lease.toNanos());
        }
        return reply;
    }

    boolean mayBeValid() {
        return System.nanoTime() - until.get() < 0;
    }

    private void held(long end) {
        long known = until.get();
        while (end - known > 0 && !until.compareAndSet(known, end)) {
            known = until.get();
        }
    }
}
