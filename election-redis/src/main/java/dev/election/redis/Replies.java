package dev.election.redis;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreView;
import dev.election.store.CampaignReply;
import dev.election.store.EvictReply;
import dev.election.store.Held;
import dev.election.store.PastLeader;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.RenewReply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the replies of the scripts, each of which describes its own at its head. */
final class Replies {

    private Replies() {}

    static CampaignReply campaign(List<String> reply) {
        return switch (reply.get(0)) {
            case "granted" ->
                new CampaignReply.Granted(
                        token(reply.get(1)),
                        instant(reply.get(2)),
                        instant(reply.get(3)),
                        reply.get(4).isEmpty() ? null : reply.get(4));
            case "held" -> held(reply);
            case "wait" -> new CampaignReply.Wait(millis(reply.get(1)), Integer.parseInt(reply.get(2)));
            default -> throw new IllegalArgumentException("Not a reply to a campaign: " + reply);
        };
    }

    static RenewReply renew(List<String> reply) {
        return switch (reply.get(0)) {
            case "renewed" -> new RenewReply.Renewed(instant(reply.get(1)), reply.get(2));
            case "lost" ->
                new RenewReply.Lost(
                        reply.size() == 2 ? null : held(reply.subList(1, reply.size())),
                        reply.get(1).isEmpty() ? null : millis(reply.get(1)));
            default -> throw new IllegalArgumentException("Not a reply to a renewal: " + reply);
        };
    }

    static ReleaseReply release(List<String> reply) {
        return switch (reply.get(0)) {
            case "released" -> new ReleaseReply.Released();
            case "not-held" -> new ReleaseReply.NotHeld();
            default -> throw new IllegalArgumentException("Not a reply to a release: " + reply);
        };
    }

    static EvictReply evict(List<String> reply) {
        return switch (reply.get(0)) {
            case "evicted" -> new EvictReply.Evicted();
            case "not-held" -> new EvictReply.NotHeld();
            default -> throw new IllegalArgumentException("Not a reply to an eviction: " + reply);
        };
    }

    static ReadReply read(List<String> reply) {
        if (!reply.get(0).equals("read")) {
            throw new IllegalArgumentException("Not a reply to a question: " + reply);
        }
        boolean isHeld = !reply.get(2).isEmpty();
        return new ReadReply.Read(new StoreView(
                instant(reply.get(1)),
                isHeld
                        ? Optional.of(leader(NodeInfo.parse(reply.get(2)), reply.get(3), reply.get(4)))
                        : Optional.empty(),
                millis(reply.get(5)),
                history(reply.subList(6, reply.size()))));
    }

    /** Reads the history, except entries that no script of this version has written. */
    static List<LeadershipRecord> history(List<String> entries) {
        return entries.stream()
                .map(Replies::leadership)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Reads an entry: token, since, until, reason, node and who asked for the end. Empty if no script of this version has written it. */
    private static Optional<LeadershipRecord> leadership(String entry) {
        String[] part = entry.split("\n", 5);
        try {
            Leader leader = leader(NodeInfo.parse(part[4]), part[0], part[1]);
            return Optional.of(
                    part[2].isEmpty()
                            ? new LeadershipRecord(leader, null, null)
                            : new LeadershipRecord(
                                    leader,
                                    instant(part[2]),
                                    LossReason.valueOf(part[3]),
                                    PastLeader.requestedBy(part[4])));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException notOurs) {
            return Optional.empty();
        }
    }

    private static Held held(List<String> reply) {
        NodeInfo node = NodeInfo.parse(reply.get(1));
        return new Held(
                leader(node, reply.get(2), reply.get(3)),
                millis(reply.get(4)),
                OptionalInt.of(Integer.parseInt(reply.get(5))),
                node.application());
    }

    private static Leader leader(NodeInfo node, String token, String since) {
        return new Leader(node.id(), node.address(), token(token), instant(since));
    }

    private static FencingToken token(String number) {
        return new FencingToken(Long.parseLong(number));
    }

    private static Instant instant(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }

    private static Duration millis(String number) {
        return Duration.ofMillis(Long.parseLong(number));
    }
}
