package dev.election.kubernetes;

import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.harness.ApiServer;
import dev.election.kubernetes.internal.KubernetesRecordStore;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.LeaseStore;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.testing.ShiftedRecordStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The store of one process, whose time is moved by hand, and which has seen its connections for long. */
final class TestNode implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration SETTLE = Duration.ofMillis(100);

    final KubernetesRecordStore records;
    final KubernetesLeaseStore store;
    private final String id;
    private final ShiftedRecordStore shifted;

    TestNode(ApiServer server, String id) {
        this(TestAccess.to(server), id, KubernetesSettings.DEFAULT);
    }

    TestNode(KubernetesAccess access, String id, KubernetesSettings settings) {
        this.id = id;
        this.records = new KubernetesRecordStore(access, settings, LEASE);
        this.shifted = new ShiftedRecordStore(records);
        LeaseStore leases =
                new RecordLeaseStore(shifted, "", new LeaseRules(5), shifted::nanos, System::currentTimeMillis);
        this.store = new KubernetesLeaseStore(records, leases, settings);
        ask(store.read("any"));
        pass(Duration.ofDays(2));
    }

    static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    void pass(Duration time) {
        shifted.pass(time);
    }

    private Candidate candidate(String election) {
        return new Candidate(election, id + ".1", new NodeInfo(id, ""));
    }

    CompletionStage<CampaignReply> campaign(String election) {
        return store.campaign(campaignFor(election));
    }

    /** Campaigns as an engine does for all of its elections. */
    List<CompletionStage<?>> campaignTogether(List<String> elections) {
        return store.send(elections.stream().map(this::campaignFor).toList());
    }

    private CampaignRequest campaignFor(String election) {
        return new CampaignRequest(candidate(election), LEASE, 0, SETTLE);
    }

    CampaignReply.Granted lead(String election) {
        CampaignReply first = ask(campaign(election));
        if (first instanceof CampaignReply.Wait wait) {
            pass(wait.remaining().plusMillis(2));
            return (CampaignReply.Granted) ask(campaign(election));
        }
        return (CampaignReply.Granted) first;
    }

    RenewReply renew(String election, CampaignReply.Granted grant) {
        return ask(store.renew(
                new RenewRequest(candidate(election), grant.token(), grant.since(), grant.expiry(), LEASE)));
    }

    CompletionStage<ReleaseReply> release(String election, CampaignReply.Granted grant) {
        return store.release(new ReleaseRequest(
                candidate(election),
                new ReleaseRequest.Grant(grant.token(), grant.expiry()),
                LEASE,
                LossReason.ABDICATED));
    }

    @Override
    public void close() {
        store.close();
    }
}
