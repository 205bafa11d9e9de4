package dev.election.redis;

import dev.election.record.ElectionRecord;
import dev.election.record.ElectionRecord.Epoch;
import dev.election.record.ElectionRecord.Lease;
import dev.election.record.ElectionRecord.LockDelay;
import dev.election.record.ElectionRecord.Visitor;
import java.util.ArrayList;
import java.util.List;

/** What befalls the keys of an election between requests: they are lost, alone or together, or come back as they were before. */
final class RandomFaults {

    private final RandomRequests random;
    private final List<ElectionRecord> earlier = new ArrayList<>();

    RandomFaults(RandomRequests random) {
        this.random = random;
    }

    /** May come back later. */
    void note(ElectionRecord record) {
        earlier.add(record);
    }

    ElectionRecord next(ElectionRecord record) {
        ElectionRecord other = earlier.isEmpty() || random.upTo(3) > 0
                ? ElectionRecord.EMPTY
                : earlier.get(random.upTo(earlier.size()));
        if (random.upTo(2) == 0) {
            random.changeIncarnation();
        }
        return switch (random.upTo(9)) {
            case 0, 1 -> other;
            case 2 -> parts(other, record, record, record);
            case 3 -> parts(record, other, record, record);
            case 4 -> parts(record, record, other, record);
            case 5 -> parts(other, record, other, record);
            case 6 -> parts(other, other, record, other);
            case 7 -> parts(record, record, record, other);
            default -> underAnotherToken(record, random.upTo(2) * 2 - 1);
        };
    }

    /** As the last renewal of its holder has left it, but for one thing or nothing. */
    ElectionRecord asLeft(ElectionRecord record, Lease lease) {
        Epoch before = record.epoch();
        Epoch epoch = new Epoch(
                lease.token(),
                before == null ? 0 : before.closed(),
                lease.ends(),
                lease.length(),
                random.incarnation(),
                before == null ? null : before.eviction());
        ElectionRecord left = new ElectionRecord(lease, epoch, null, record.queue(), record.history());
        return switch (random.upTo(5)) {
            case 0 -> underAnotherToken(left, random.upTo(2) * 2 - 1);
            case 1 -> {
                random.changeIncarnation();
                yield left;
            }
            case 2 -> visited(left, lease);
            case 3 -> locked(left, lease);
            default -> left;
        };
    }

    private static ElectionRecord visited(ElectionRecord record, Lease lease) {
        Lease visited = new Lease(
                lease.candidacy(),
                lease.node(),
                lease.token(),
                lease.since(),
                lease.ends(),
                lease.length(),
                new Visitor("bakery", lease.ends()));
        return new ElectionRecord(visited, record.epoch(), record.lockDelay(), record.queue(), record.history());
    }

    private static ElectionRecord locked(ElectionRecord record, Lease lease) {
        LockDelay delay = new LockDelay(lease.ends(), lease.length(), ElectionRecord.Closed.FORGOTTEN);
        return new ElectionRecord(record.lease(), record.epoch(), delay, record.queue(), record.history());
    }

    private static ElectionRecord parts(
            ElectionRecord lease, ElectionRecord epoch, ElectionRecord lockDelay, ElectionRecord rest) {
        return new ElectionRecord(lease.lease(), epoch.epoch(), lockDelay.lockDelay(), rest.queue(), rest.history());
    }

    /** As if the lease were of the grant before or after. */
    private static ElectionRecord underAnotherToken(ElectionRecord record, long change) {
        Lease lease = record.lease();
        return lease == null
                ? record
                : new ElectionRecord(
                        new Lease(
                                lease.candidacy(),
                                lease.node(),
                                Math.max(1, lease.token() + change),
                                lease.since(),
                                lease.ends(),
                                lease.length(),
                                lease.visitor()),
                        record.epoch(),
                        record.lockDelay(),
                        record.queue(),
                        record.history());
    }
}
