package dev.election.kubernetes;

import static dev.election.kubernetes.TestNode.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.ApiFault;
import dev.election.harness.ApiVerb;
import dev.election.harness.StrictApiServer;
import dev.election.http.Json;
import dev.election.store.CampaignReply;
import dev.election.store.ReleaseReply;
import dev.election.store.RenewReply;
import dev.election.testing.LoggedLines;
import dev.election.testing.Opened;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PodLabelTest {

    private static final String PODS = "/api/v1/namespaces/default/pods/";
    private static final String LABEL = "election.dev/e";

    private final Opened opened = new Opened();
    private final StrictApiServer server = opened.add(new StrictApiServer());

    @AfterEach
    void close() throws Exception {
        opened.close();
        assertThat(server.refusals()).isEmpty();
    }

    private TestNode node(String pod) {
        return opened.add(
                new TestNode(TestAccess.to(server), pod, new KubernetesSettings("election", 5, pod, "prefix")));
    }

    private void start(String pod, Map<String, Object> labels) {
        server.put(PODS + pod, Json.write(Map.of("metadata", Map.of("name", pod, "labels", labels))));
    }

    private Map<String, Object> labels(String pod) {
        return Json.at(Json.object(server.get(PODS + pod)), "metadata", "labels");
    }

    private void awaitLabels(String pod, Map<String, Object> expected) {
        Awaitility.await().untilAsserted(() -> assertThat(labels(pod)).isEqualTo(expected));
    }

    @Test
    void the_pod_is_labelled_at_the_grant_and_keeps_its_other_labels() {
        start("p-1", Map.of("app", "shop"));
        node("p-1").lead("e");
        awaitLabels("p-1", Map.of("app", "shop", LABEL, "leader"));
    }

    @Test
    void a_renewal_sends_nothing_about_pods() {
        start("p-1", Map.of());
        TestNode node = node("p-1");
        CampaignReply.Granted grant = node.lead("e");
        awaitLabels("p-1", Map.of(LABEL, "leader"));
        long before = server.count(ApiVerb.LIST_PODS, ApiVerb.PATCH_POD);
        assertThat(node.renew("e", grant)).isInstanceOf(RenewReply.Renewed.class);
        ask(node.release("e", grant));
        // The release alone.
        assertThat(server.count(ApiVerb.LIST_PODS, ApiVerb.PATCH_POD) - before).isEqualTo(1);
    }

    @Test
    void the_label_is_set_and_taken_also_where_each_reply_ends_its_connection() {
        start("p-0", Map.of(LABEL, "leader"));
        start("p-1", Map.of());
        TestNode node = node("p-1");
        server.always(new ApiFault.LastReply());
        CampaignReply.Granted grant = node.lead("e");
        awaitLabels("p-1", Map.of(LABEL, "leader"));
        assertThat(labels("p-0")).isEmpty();
        ask(node.release("e", grant));
        assertThat(labels("p-1")).isEmpty();
    }

    @Test
    void the_label_is_taken_from_a_dead_pod_and_each_election_has_its_own() {
        start("p-0", Map.of(LABEL, "leader", "election.dev/other", "leader"));
        start("p-1", Map.of());
        node("p-1").lead("e");
        awaitLabels("p-1", Map.of(LABEL, "leader"));
        assertThat(labels("p-0")).isEqualTo(Map.of("election.dev/other", "leader"));
    }

    @Test
    void the_label_of_a_pod_that_was_made_anew_meanwhile_stays() {
        start("p-0", Map.of(LABEL, "leader"));
        start("p-1", Map.of());
        server.next(1, new ApiFault.Delay(Duration.ofSeconds(2)), ApiVerb.PATCH_POD);
        node("p-1").lead("e");
        Awaitility.await().until(() -> server.count(ApiVerb.PATCH_POD) == 1);
        server.delete(PODS + "p-0");
        start("p-0", Map.of(LABEL, "leader"));
        awaitLabels("p-1", Map.of(LABEL, "leader"));
        assertThat(labels("p-0")).isEqualTo(Map.of(LABEL, "leader"));
    }

    @Test
    void the_label_is_removed_before_the_release_is_sent() {
        start("p-1", Map.of("app", "shop"));
        TestNode node = node("p-1");
        CampaignReply.Granted grant = node.lead("e");
        awaitLabels("p-1", Map.of("app", "shop", LABEL, "leader"));
        long patches = server.count(ApiVerb.PATCH);
        // A release waits for the label for a second at most.
        server.next(1, new ApiFault.Delay(Duration.ofMillis(600)), ApiVerb.PATCH_POD);
        CompletionStage<ReleaseReply> release = node.release("e", grant);
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> server.count(ApiVerb.PATCH_POD) == 2);
        assertThat(server.count(ApiVerb.PATCH)).isEqualTo(patches);
        ask(release);
        assertThat(labels("p-1")).isEqualTo(Map.of("app", "shop"));
        assertThat(server.count(ApiVerb.PATCH)).isEqualTo(patches + 1);
    }

    @Test
    void a_leader_that_is_released_at_once_keeps_no_label() {
        start("p-1", Map.of());
        TestNode node = node("p-1");
        server.next(1, new ApiFault.Delay(Duration.ofMillis(300)), ApiVerb.LIST_PODS);
        ask(node.release("e", node.lead("e")));
        assertThat(server.count(ApiVerb.PATCH_POD)).isEqualTo(2);
        assertThat(labels("p-1")).isEmpty();
    }

    @Test
    void a_leader_that_has_lost_its_lease_loses_the_label() {
        start("p-1", Map.of());
        start("p-2", Map.of());
        TestNode first = node("p-1");
        TestNode second = node("p-2");
        CampaignReply.Granted grant = first.lead("e");
        awaitLabels("p-1", Map.of(LABEL, "leader"));
        ask(second.campaign("e"));
        second.pass(TestNode.LEASE.multipliedBy(2));
        second.lead("e");
        awaitLabels("p-2", Map.of(LABEL, "leader"));
        // As if the successor had missed it.
        start("p-1", Map.of(LABEL, "leader"));
        assertThat(first.renew("e", grant)).isInstanceOf(RenewReply.Lost.class);
        awaitLabels("p-1", Map.of());
    }

    @Test
    void missing_rights_are_one_warning_and_the_leases_do_without() {
        server.always(new ApiFault.Forbidden(), ApiVerb.LIST_PODS, ApiVerb.PATCH_POD);
        start("p-1", Map.of());
        try (LoggedLines log = new LoggedLines("dev.election.kubernetes.internal.PodLabel")) {
            TestNode node = node("p-1");
            for (String election : List.of("e", "f", "g")) {
                assertThat(ask(node.release(election, node.lead(election)))).isInstanceOf(ReleaseReply.class);
            }
            Awaitility.await().until(() -> server.count(ApiVerb.LIST_PODS, ApiVerb.PATCH_POD) == 6);
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("p-1", "cannot list resource \"pods\"", "Role of its own");
        }
    }

    @Test
    void pods_that_hang_delay_each_release_by_a_second_at_most_and_no_renewal() {
        start("p-1", Map.of());
        server.always(new ApiFault.Hang(0), ApiVerb.LIST_PODS, ApiVerb.PATCH_POD);
        TestNode node = node("p-1");
        List<String> elections = List.of("e", "f", "g");
        List<CampaignReply.Granted> grants = elections.stream().map(node::lead).toList();
        long begun = System.nanoTime();
        assertThat(node.renew("e", grants.get(0))).isInstanceOf(RenewReply.Renewed.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
        begun = System.nanoTime();
        List<CompletionStage<ReleaseReply>> releases = List.of(
                node.release("e", grants.get(0)), node.release("f", grants.get(1)), node.release("g", grants.get(2)));
        releases.forEach(TestNode::ask);
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(2));
    }

    @Test
    void an_election_whose_name_is_no_label_has_another_one_of_its_own() {
        start("p-1", Map.of());
        TestNode node = node("p-1");
        node.lead("e 1");
        node.lead("e/1");
        Awaitility.await().untilAsserted(() -> assertThat(labels("p-1")).hasSize(2));
        assertThat(labels("p-1").keySet()).allSatisfy(label -> assertThat(label).startsWith("election.dev/e_1-"));
    }
}
