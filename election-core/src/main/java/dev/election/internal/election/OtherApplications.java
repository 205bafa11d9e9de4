package dev.election.internal.election;

import dev.election.LeadershipEvent;
import dev.election.NodeInfo;
import dev.election.engine.Clock;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.protocol.Self;
import dev.election.store.CampaignReply;
import dev.election.store.Held;
import dev.election.store.RenewReply;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Finds applications of another name in the same election. If two applications share an election by mistake, they have one leader: the guarded
 * work of the other never runs, and nothing fails. Used on the loop only.
 */
final class OtherApplications {

    /** Most applications that are announced: a client that may write to the store can invent any number. */
    private static final int MOST_KNOWN = 20;

    /** Leases after which an application is forgotten. The store names a candidate about once a lease. */
    private static final int LEASES_UNTIL_GONE = 3;

    private final Self self;
    private final long goneAfter;
    private final Clock clock;
    private final Consumer<LeadershipEvent> news;

    /** When the store last named each application. Empty in most elections. */
    private Map<String, Long> heardAt = Map.of();

    private Set<String> announced = Set.of();

    OtherApplications(Self self, ProtocolTimings timings, Clock clock, Consumer<LeadershipEvent> news) {
        this.self = self;
        this.goneAfter = LEASES_UNTIL_GONE * timings.lease().toNanos();
        this.clock = clock;
        this.news = news;
    }

    /** Takes an answer of the store. */
    void see(Input input) {
        if (input instanceof Input.Campaigned campaigned) {
            see(campaigned.reply());
        } else if (input instanceof Input.Renewed renewed) {
            see(renewed.reply());
        }
    }

    private void see(CampaignReply reply) {
        if (reply instanceof Held held) {
            hear(held.application());
        }
    }

    private void see(RenewReply reply) {
        if (reply instanceof RenewReply.Renewed renewed) {
            hear(renewed.otherApplication());
        }
    }

    private void hear(String application) {
        String name = NodeInfo.applicationName(application);
        boolean isOther = !name.isEmpty() && !self.application().isEmpty() && !name.equals(self.application());
        if (heardAt.isEmpty()) {
            if (!isOther) {
                return;
            }
            heardAt = new TreeMap<>();
        }
        if (isOther && (heardAt.containsKey(name) || heardAt.size() < MOST_KNOWN)) {
            heardAt.put(name, clock.nanos());
        }
        heardAt.values().removeIf(at -> clock.nanos() - at > goneAfter);
        if (!heardAt.keySet().equals(announced)) {
            announced = new TreeSet<>(heardAt.keySet());
            news.accept(new LeadershipEvent.ApplicationsDiffer(
                    self.election(), clock.wall(), self.application(), Set.copyOf(announced)));
        }
    }
}
