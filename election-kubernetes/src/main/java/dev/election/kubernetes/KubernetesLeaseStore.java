package dev.election.kubernetes;

import dev.election.kubernetes.internal.KubernetesRecordStore;
import dev.election.kubernetes.internal.PodLabel;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Elections in Leases of Kubernetes. */
public final class KubernetesLeaseStore extends ForwardingLeaseStore implements AutoCloseable {

    private final KubernetesRecordStore records;

    /** {@code null} if no pod is labelled. */
    private final @Nullable PodLabel label;

    private KubernetesLeaseStore(KubernetesRecordStore records, KubernetesSettings settings) {
        this(records, new RecordLeaseStore(records, "", new LeaseRules(settings.history(), 9)), settings);
    }

    /** Creates the store with other leases over the same records. */
    KubernetesLeaseStore(KubernetesRecordStore records, LeaseStore leases, KubernetesSettings settings) {
        super(leases);
        this.records = records;
        this.label = settings.pod() == null ? null : records.label(settings.pod());
    }

    /**
     * Creates the store. Returns at once, whether the API server can be reached or not.
     *
     * @param shortestLease the shortest lease of the elections in this store: an answer is waited for a third of it, a second at least and
     *     ten seconds at most
     */
    public static KubernetesLeaseStore open(
            KubernetesAccess access, Duration shortestLease, KubernetesSettings settings) {
        return new KubernetesLeaseStore(new KubernetesRecordStore(access, settings, shortestLease), settings);
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        PodLabel present = label;
        return present == null
                ? super.send(requests)
                : requests.stream()
                        .<CompletionStage<?>>map(request -> send(request, present))
                        .toList();
    }

    /** Sends a request, with the label of the pod removed before a release. */
    private CompletionStage<?> send(StoreRequest<?> request, PodLabel present) {
        if (request instanceof ReleaseRequest release) {
            return release.grant() == null
                    ? forward(request)
                    : present.remove(release.candidate().election()).thenCompose(done -> forward(request));
        }
        return forward(request).thenApply(reply -> {
            if (request instanceof CampaignRequest campaign && reply instanceof CampaignReply.Granted) {
                present.put(campaign.candidate().election());
            } else if (request instanceof RenewRequest renewal && reply instanceof RenewReply.Renewed) {
                present.putAgain(renewal.candidate().election());
            } else if (request instanceof RenewRequest renewal && reply instanceof RenewReply.Lost) {
                present.remove(renewal.candidate().election());
            }
            return reply;
        });
    }

    @Override
    public void close() {
        if (label != null) {
            label.close();
        }
        records.close();
    }
}
