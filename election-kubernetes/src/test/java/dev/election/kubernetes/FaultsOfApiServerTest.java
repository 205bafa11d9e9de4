package dev.election.kubernetes;

import static dev.election.kubernetes.TestNode.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.election.StoreProblem;
import dev.election.harness.ApiFault;
import dev.election.harness.ApiServer;
import dev.election.harness.ApiVerb;
import dev.election.harness.StrictApiServer;
import dev.election.http.Json;
import dev.election.kubernetes.internal.KubernetesRecordStore;
import dev.election.kubernetes.internal.MountedCredentials;
import dev.election.record.Continuity;
import dev.election.record.RecordStore;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import dev.election.store.CampaignReply;
import dev.election.store.Held;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessage;
import dev.election.store.RenewReply;
import dev.election.testing.LoggedLines;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an API server, and who else writes to it, may do to a store. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated("It counts the lines of the log")
class FaultsOfApiServerTest {

    private static final Duration SHORTEST = Duration.ofSeconds(3);

    /** How long an answer may take with a longer lease. With the shortest one it is a second. */
    private static final Duration PATIENT_LIMIT = Duration.ofSeconds(5);

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases/";

    private final Opened opened = new Opened();
    private final StrictApiServer server = opened.add(new StrictApiServer());

    @AfterEach
    void close() throws Exception {
        opened.close();
        assertThat(server.refusals()).isEmpty();
    }

    private KubernetesRecordStore store() {
        return store(TestAccess.to(server));
    }

    private KubernetesRecordStore store(KubernetesAccess access) {
        return opened.add(new KubernetesRecordStore(access, KubernetesSettings.DEFAULT, SHORTEST));
    }

    /** A store whose answers may take {@link #PATIENT_LIMIT}. */
    private KubernetesRecordStore patient() {
        return opened.add(new KubernetesRecordStore(
                TestAccess.to(server), KubernetesSettings.DEFAULT, PATIENT_LIMIT.multipliedBy(3)));
    }

    private static KubernetesAccess access(ApiServer server, Path mounted) {
        return new KubernetesAccess(server.address(), ApiServer.NAMESPACE, new MountedCredentials(mounted));
    }

    private static NoAnswer failure(Object outcome) {
        return ((Failed) outcome).answer();
    }

    private static Stored stored(Object outcome) {
        return outcome instanceof Written written ? written.stored() : ((Read) outcome).stored();
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                arguments(new ApiFault.Forbidden(), StoreProblem.FORBIDDEN, "403 to ", "apply the Role"),
                arguments(
                        ApiFault.unauthorized(), StoreProblem.UNAUTHENTICATED, "401 to ", "check the service account"),
                arguments(ApiFault.noSuchApi(), StoreProblem.UNKNOWN, "404 page not found", "coordination.k8s.io/v1"),
                arguments(
                        new ApiFault.Terminating(),
                        StoreProblem.FORBIDDEN,
                        "being terminated",
                        "the namespace is being deleted"),
                arguments(
                        ApiFault.failure(409, "Conflict", "the object has been modified"),
                        StoreProblem.BUSY,
                        "409 to ",
                        "others write the Lease"),
                arguments(
                        ApiFault.failure(
                                422, "Invalid", "metadata.annotations: Too long: must have at most 262144 bytes"),
                        StoreProblem.TOO_LARGE,
                        "Too long",
                        "too large"),
                arguments(
                        ApiFault.tooManyRequests(Duration.ofSeconds(7)),
                        StoreProblem.BUSY,
                        ", Retry-After 7",
                        "limits requests"),
                arguments(ApiFault.noEtcd(), StoreProblem.UNREACHABLE, "500 to ", "its etcd"),
                arguments(ApiFault.unavailable(), StoreProblem.UNREACHABLE, "503 to ", "can't answer"),
                arguments(ApiFault.timeout(), StoreProblem.UNREACHABLE, "504 to ", "can't answer"),
                arguments(new ApiFault.Loss(), StoreProblem.UNREACHABLE, "", "can't be reached"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void a_fault_is_the_answer_to_each_request_with_what_to_do_and_nothing_is_written(
            ApiFault fault, StoreProblem problem, String detail, String action) {
        KubernetesRecordStore store = store();
        Stored present = stored(ask(store.replace("present", null, "before")));
        server.always(fault);
        List<Object> outcomes = new ArrayList<>();
        outcomes.add(ask(store.read("present")));
        outcomes.add(ask(store.read("missing")));
        outcomes.add(ask(store.list("")));
        outcomes.add(ask(store.readAll("members/")));
        outcomes.add(ask(store.replace("missing", null, "new")));
        outcomes.add(ask(store.replace("present", present, "after")));
        outcomes.add(ask(store.delete("present", present)));
        assertThat(outcomes).allSatisfy(outcome -> {
            assertThat(failure(outcome).problem()).isEqualTo(problem);
            assertThat(failure(outcome).detail()).contains(detail);
            assertThat(failure(outcome).action()).contains(action);
        });
        server.heal();
        assertThat(stored(ask(store.read("present")))).isEqualTo(present);
        assertThat(stored(ask(store.read("missing")))).isNull();
    }

    @Test
    void missing_rights_are_told_with_verb_and_resource() {
        KubernetesRecordStore admin = store();
        Stored present = stored(ask(admin.replace("present", null, "before")));
        KubernetesRecordStore store = store(TestAccess.to(server, ApiServer.NOBODY));
        Map<String, CompletionStage<?>> requests = new LinkedHashMap<>();
        requests.put("get", store.read("present"));
        requests.put("list", store.list(""));
        requests.put("create", store.replace("missing", null, "new"));
        requests.put("patch", store.replace("present", present, "after"));
        requests.forEach((verb, request) -> assertThat(failure(ask(request)).detail())
                .contains("\"nobody\" cannot " + verb + " resource \"leases\" in API group \"coordination.k8s.io\"")
                .contains("in the namespace \"default\""));
    }

    @Test
    void a_namespace_that_is_not_there_is_told() {
        KubernetesRecordStore store = store(new KubernetesAccess(
                server.address(), "elsewhere", new MountedCredentials(server.mounted(ApiServer.ADMIN))));
        NoAnswer failure = failure(ask(store.replace("a", null, "new")));
        assertThat(failure.detail()).contains("404", "namespaces \"elsewhere\" not found");
        assertThat(failure.action()).contains("check the namespace");
    }

    @Test
    void a_text_that_is_too_large_is_told_and_the_one_before_stays() {
        KubernetesRecordStore store = store();
        String large = "x".repeat(300_000);
        assertThat(failure(ask(store.replace("new", null, large))).problem()).isEqualTo(StoreProblem.TOO_LARGE);
        Stored before = stored(ask(store.replace("present", null, "before")));
        assertThat(failure(ask(store.replace("present", before, large))).problem())
                .isEqualTo(StoreProblem.TOO_LARGE);
        assertThat(stored(ask(store.read("present")))).isEqualTo(before);
    }

    @Test
    void a_token_that_was_renewed_is_read_again_once_the_one_before_is_refused() throws IOException {
        Path mounted = server.mounted(ApiServer.ADMIN);
        KubernetesRecordStore store = store(access(server, mounted));
        assertThat(ask(store.read("a"))).isInstanceOf(Read.class);
        server.rotateToken("renewed");
        assertThat(failure(ask(store.read("a"))).problem()).isEqualTo(StoreProblem.UNAUTHENTICATED);
        Files.writeString(mounted.resolve("token"), "renewed");
        assertThat(ask(store.read("a"))).isInstanceOf(Read.class);
    }

    @Test
    void the_watch_goes_on_with_a_token_that_was_renewed() throws IOException {
        Path mounted = server.mounted(ApiServer.ADMIN);
        KubernetesRecordStore store = store(access(server, mounted));
        BlockingQueue<Change> heard = watch(store, "a");
        server.rotateToken("renewed");
        Files.writeString(mounted.resolve("token"), "renewed");
        server.dropConnections();
        Awaitility.await().until(() -> heard.contains(Change.CONNECTION));
    }

    @Test
    void a_certificate_of_another_host_is_told() {
        StrictApiServer another = opened.add(StrictApiServer.underAnotherName());
        NoAnswer failure = failure(ask(store(TestAccess.to(another)).read("a")));
        assertThat(failure.problem()).isEqualTo(StoreProblem.UNREACHABLE);
        assertThat(failure.detail()).contains("127.0.0.1");
        assertThat(failure.action()).contains("certificate", "names another host");
    }

    @Test
    void a_certificate_of_an_unknown_authority_is_told() throws IOException {
        StrictApiServer another = opened.add(StrictApiServer.underAnotherName());
        Path mounted = server.mounted(ApiServer.ADMIN);
        Files.copy(another.certificate(), mounted.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
        NoAnswer failure = failure(ask(store(access(server, mounted)).read("a")));
        assertThat(failure.problem()).isEqualTo(StoreProblem.UNREACHABLE);
        assertThat(failure.action()).contains("not trusted", "the CA");
    }

    @ParameterizedTest
    @ValueSource(strings = {"token", "ca.crt"})
    void a_file_of_the_service_account_that_is_missing_is_told_until_it_is_there(String name) throws IOException {
        Path mounted = server.mounted(ApiServer.ADMIN);
        KubernetesRecordStore store = store(access(server, mounted));
        Path file = mounted.resolve(name);
        Files.move(file, mounted.resolve("away"));
        NoAnswer failure = failure(ask(store.read("a")));
        assertThat(failure.problem()).isEqualTo(StoreProblem.UNAUTHENTICATED);
        assertThat(failure.detail()).contains(file.toString());
        assertThat(failure.action()).contains("automountServiceAccountToken");
        Files.move(mounted.resolve("away"), file);
        assertThat(ask(store.read("a"))).isInstanceOf(Read.class);
    }

    @Test
    void a_page_in_between_is_told() {
        server.always(new ApiFault.Answer(200, "text/html", Map.of(), "<html>Log in</html>"));
        NoAnswer failure = failure(ask(store().read("a")));
        assertThat(failure.problem()).isEqualTo(StoreProblem.UNREACHABLE);
        assertThat(failure.detail()).contains("not from an API server");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_reply_that_stops_at_any_byte_is_an_unknown_outcome_in_time_and_nothing_is_sent_twice(boolean hangs) {
        String text = "x".repeat(500);
        List<Integer> bytes =
                IntStream.iterate(0, i -> i < 1_000, i -> i + 23).boxed().toList();
        // No reply that is cut comes as late as its limit.
        List<KubernetesRecordStore> stores =
                bytes.stream().map(some -> hangs ? store() : patient()).toList();
        List<Stored> before = new ArrayList<>();
        for (int i = 0; i < bytes.size(); i++) {
            before.add(
                    i % 2 == 0
                            ? stored(ask(stores.get(i).read("k" + i)))
                            : stored(ask(stores.get(i).replace("k" + i, null, "before"))));
        }
        // Every second one creates, the others patch.
        bytes.forEach(some -> server.next(
                1,
                hangs ? new ApiFault.Hang(some) : new ApiFault.Cut(some),
                bytes.indexOf(some) % 2 == 0 ? ApiVerb.CREATE : ApiVerb.PATCH));
        long sent = server.count();
        long begun = System.nanoTime();
        List<CompletionStage<RecordStore.ReplaceOutcome>> writes = IntStream.range(0, bytes.size())
                .mapToObj(i -> stores.get(i).replace("k" + i, before.get(i), text))
                .toList();
        assertThat(writes).allSatisfy(write -> assertThat(failure(ask(write)).problem())
                .isEqualTo(hangs ? StoreProblem.TIMED_OUT : StoreProblem.UNREACHABLE));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENT_LIMIT);
        assertThat(server.count() - sent).isEqualTo(bytes.size());
        for (int i = 0; i < bytes.size(); i++) {
            // It was carried out, and the next request shows that.
            assertThat(stored(ask(stores.get(i).read("k" + i))))
                    .extracting(Stored::text)
                    .isEqualTo(text);
        }
    }

    private void edit(String name, UnaryOperator<Map<String, Object>> change) {
        server.put(LEASES + name, Json.write(change.apply(Json.object(server.get(LEASES + name)))));
    }

    private Map<String, Object> lease(String name, String part) {
        Map<String, Object> lease = Json.object(server.get(LEASES + name));
        return part.equals("spec") ? Json.at(lease, part) : Json.at(lease, "metadata", part);
    }

    @Test
    void a_lease_that_was_deleted_by_hand_ends_no_leadership_and_no_candidate_leads_early() {
        TestNode leader = opened.add(new TestNode(server, "leader"));
        TestNode candidate = opened.add(new TestNode(server, "candidate"));
        for (boolean isCandidateFirst : new boolean[] {true, false}) {
            CampaignReply.Granted grant = leader.lead("e");
            assertThat(ask(candidate.campaign("e"))).isInstanceOf(Held.class);
            assertThat(leader.renew("e", grant)).isInstanceOf(RenewReply.Renewed.class);
            server.delete(LEASES + "election-e");
            if (isCandidateFirst) {
                assertThat(ask(candidate.campaign("e"))).isInstanceOf(CampaignReply.Wait.class);
            }
            assertThat(leader.renew("e", grant)).isInstanceOf(RenewReply.Renewed.class);
            assertThat(ask(candidate.campaign("e"))).isInstanceOfSatisfying(Held.class, held -> assertThat(
                            held.leader().token())
                    .isEqualTo(grant.token()));
        }
    }

    @Test
    void a_spec_that_was_edited_by_hand_is_for_people_only_and_is_written_again() {
        TestNode leader = opened.add(new TestNode(server, "leader"));
        CampaignReply.Granted grant = leader.lead("e");
        edit("election-e", lease -> {
            lease.put("spec", Map.of("holderIdentity", "somebody", "leaseTransitions", 7));
            return lease;
        });
        assertThat(ask(opened.add(new TestNode(server, "candidate")).campaign("e")))
                .isInstanceOfSatisfying(
                        Held.class, held -> assertThat(held.leader().node()).isEqualTo("leader"));
        assertThat(leader.renew("e", grant)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(lease("election-e", "spec")).containsEntry("holderIdentity", "leader");
    }

    @Test
    void what_others_write_leaves_the_time_of_the_renewal() {
        TestNode leader = opened.add(new TestNode(server, "leader"));
        leader.lead("e");
        TestNode candidate = opened.add(new TestNode(server, "candidate"));
        assertThat(ask(candidate.campaign("e"))).isInstanceOf(Held.class);
        candidate.pass(Duration.ofSeconds(10));
        ask(candidate
                .store
                .messaging()
                .orElseThrow()
                .announce("e", new NodeMessage.AbdicationHeard("r", TestNode.LEASE)));
        assertThat(Instant.parse(Json.text(lease("election-e", "spec"), "renewTime")))
                .isBefore(Instant.now().minusSeconds(9));
    }

    @Test
    void labels_and_annotations_of_others_stay() {
        TestNode leader = opened.add(new TestNode(server, "leader"));
        CampaignReply.Granted grant = leader.lead("e");
        edit("election-e", lease -> {
            Json.at(lease, "metadata", "labels").put("team", "shop");
            Json.at(lease, "metadata", "annotations").put("note", "keep");
            return lease;
        });
        assertThat(leader.renew("e", grant)).isInstanceOf(RenewReply.Renewed.class);
        ask(leader.release("e", grant));
        assertThat(lease("election-e", "labels")).containsEntry("team", "shop");
        assertThat(lease("election-e", "annotations")).containsEntry("note", "keep");
    }

    @Test
    void a_text_that_was_edited_by_hand_grants_nothing_and_the_leader_goes_on() {
        TestNode leader = opened.add(new TestNode(server, "leader"));
        TestNode candidate = opened.add(new TestNode(server, "candidate"));
        CampaignReply.Granted grant = leader.lead("e");
        edit("election-e", lease -> {
            Json.at(lease, "metadata", "annotations").put("election.dev/text", "mine");
            return lease;
        });
        candidate.pass(TestNode.LEASE.multipliedBy(3));
        assertThat(ask(candidate.campaign("e"))).isInstanceOfSatisfying(NoAnswer.class, failure -> {
            assertThat(failure.problem()).isEqualTo(StoreProblem.WRONG_TYPE);
            assertThat(failure.action()).contains("election-e", "made or edited by somebody else", "another prefix");
        });
        assertThat(leader.renew("e", grant)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(ask(candidate.campaign("e"))).isInstanceOf(Held.class);
    }

    @Test
    void a_lease_of_somebody_else_under_that_name_is_told_and_left_as_it_is() {
        TestNode node = opened.add(new TestNode(server, "node"));
        String theirs =
                "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",\"metadata\":{\"name\":\"election-e\"},"
                        + "\"spec\":{\"holderIdentity\":\"them\"}}";
        server.put(LEASES + "election-e", theirs);
        String before = server.get(LEASES + "election-e");
        assertThat(ask(node.campaign("e"))).isInstanceOfSatisfying(NoAnswer.class, failure -> {
            assertThat(failure.problem()).isEqualTo(StoreProblem.WRONG_TYPE);
            assertThat(failure.action()).contains("election-e", "made or edited by somebody else");
        });
        assertThat(failure(ask(node.records.replace("e", null, "mine"))).problem())
                .isEqualTo(StoreProblem.WRONG_TYPE);
        assertThat(server.get(LEASES + "election-e")).isEqualTo(before);
        node.lead("another");
        server.delete(LEASES + "election-e");
        node.lead("e");
    }

    @Test
    @RealTime
    void replies_that_each_end_their_connection_prove_the_same_store() throws InterruptedException {
        KubernetesRecordStore store = store();
        server.always(new ApiFault.LastReply());
        Continuity first = ((Read) ask(store.read("a"))).origin().continuity();
        for (int i = 0; i < 3; i++) {
            // For longer than a gap is bridged.
            Thread.sleep(700);
            assertThat(((Read) ask(store.read("a"))).origin().continuity()).isEqualTo(first);
        }
    }

    @Test
    void connections_that_end_without_a_reply_prove_nothing_after_a_while() throws InterruptedException {
        KubernetesRecordStore store = store();
        Continuity first = ((Read) ask(store.read("a"))).origin().continuity();
        Thread.sleep(700);
        server.dropConnections();
        Awaitility.await().until(() -> ask(store.read("a")) instanceof Read);
        assertThat(((Read) ask(store.read("a"))).origin().continuity()).isNotEqualTo(first);
    }

    /** Begins to watch a key, and returns what is heard of it. */
    private BlockingQueue<Change> watch(KubernetesRecordStore store, String key) {
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        opened.add(store.watch(key, heard::add)::close);
        Awaitility.await().until(store::hearsAtOnce);
        return heard;
    }

    private static boolean says(Change change, String text) {
        return change instanceof Change.Text said
                && said.read() != null
                && said.read().stored() != null
                && said.read().stored().text().equals(text);
    }

    private static void awaitText(BlockingQueue<Change> heard, String text) {
        Awaitility.await().until(() -> heard.stream().anyMatch(change -> says(change, text)));
    }

    @Test
    void a_watch_whose_version_is_too_old_lists_again() {
        KubernetesRecordStore writer = store();
        KubernetesRecordStore store = patient();
        Stored first = stored(ask(writer.replace("a", null, "first")));
        // Less than an answer may take, more than the steps up to the compaction do.
        server.next(1, new ApiFault.Delay(PATIENT_LIMIT.dividedBy(2)), ApiVerb.WATCH);
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        try (LoggedLines log = new LoggedLines("dev.election")) {
            opened.add(store.watch("a", heard::add)::close);
            awaitText(heard, "first");
            Awaitility.await().until(() -> server.count(ApiVerb.WATCH) == 1);
            ask(writer.replace("a", first, "second"));
            server.compact();
            awaitText(heard, "second");
            Awaitility.await().until(() -> server.watches() == 1 && store.hearsAtOnce());
            assertThat(server.count(ApiVerb.WATCH)).isEqualTo(2);
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    @RealTime
    void a_watch_that_has_fallen_silent_is_found_by_what_is_read_and_begins_again() {
        KubernetesRecordStore writer = store();
        KubernetesRecordStore store = store();
        Stored first = stored(ask(writer.replace("a", null, "first")));
        BlockingQueue<Change> heard = watch(store, "a");
        awaitText(heard, "first");
        server.silenceWatches();
        ask(writer.replace("a", first, "second"));
        assertThat(heard).noneMatch(change -> says(change, "second"));
        Awaitility.await().pollInterval(Duration.ofMillis(200)).until(() -> {
            ask(store.read("a"));
            return heard.stream().anyMatch(change -> says(change, "second"));
        });
        assertThat(server.count(ApiVerb.WATCH)).isEqualTo(2);
    }

    @Test
    void a_watch_over_a_store_that_was_restored_below_begins_again_and_shows_what_is_there() {
        KubernetesRecordStore store = store();
        Stored old = stored(ask(store.replace("a", null, "old")));
        BlockingQueue<Change> heard = watch(store, "a");
        server.snapshot();
        Stored lost = stored(ask(store.replace("a", old, "lost")));
        awaitText(heard, "lost");
        heard.clear();
        server.restoreBelow();
        Continuity before =
                ((Written) ask(store.replace("b", null, "x"))).origin().continuity();
        Awaitility.await().until(() -> heard.contains(Change.CONNECTION));
        awaitText(heard, "old");
        Read read = (Read) ask(store.read("a"));
        assertThat(stored(read)).isEqualTo(old);
        assertThat(ask(store.replace("a", lost, "again"))).isInstanceOf(RecordStore.Conflict.class);
        Awaitility.await().until(() -> server.count(ApiVerb.WATCH) == 2);
        assertThat(read.origin().continuity()).isEqualTo(before);
    }

    @Test
    @RealTime
    void a_watch_whose_connections_end_again_and_again_is_back_soon_each_time_without_a_word() {
        KubernetesRecordStore store = store();
        BlockingQueue<Change> heard = watch(store, "a");
        try (LoggedLines log = new LoggedLines("dev.election")) {
            // A pause that got twice as long each time would be longer than three seconds at last.
            for (int i = 1; i <= 6; i++) {
                int times = i;
                // A watch that ends within half a second counts as failed.
                Awaitility.await().pollDelay(Duration.ofMillis(600)).until(store::hearsAtOnce);
                heard.clear();
                server.dropConnections();
                Awaitility.await().atMost(Duration.ofMillis(2_500)).until(() -> heard.contains(Change.CONNECTION));
                Awaitility.await().until(() -> server.count(ApiVerb.WATCH) == times + 1 && store.hearsAtOnce());
            }
            assertThat(log.withLevels()).isEmpty();
        }
    }

    @Test
    void an_api_server_that_is_away_is_one_line_and_the_watch_is_opened_again() {
        KubernetesRecordStore store = store();
        BlockingQueue<Change> heard = watch(store, "a");
        try (LoggedLines log = new LoggedLines("dev.election")) {
            server.kill();
            Awaitility.await().until(() -> !log.warnings().isEmpty());
            Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            server.start();
            Awaitility.await().until(() -> heard.contains(Change.CONNECTION) && store.hearsAtOnce());
            assertThat(log.withLevels())
                    .singleElement()
                    .asString()
                    .startsWith("WARN Failed to watch the Leases of the elections, so news take up to 3")
                    .contains("check its address", "(UNREACHABLE: ");
            // The watch works again when it has lasted for half a second.
            Awaitility.await().pollInterval(Duration.ofMillis(200)).until(() -> {
                ask(store.replace(
                        "a",
                        ((Read) ask(store.read("a"))).stored(),
                        UUID.randomUUID().toString()));
                return !log.with("The watch of the Leases of the elections works again")
                        .isEmpty();
            });
            assertThat(log.withLevels()).hasSize(2);
        }
    }

    @Test
    void a_watch_that_is_refused_is_one_line_with_the_reason() {
        server.always(new ApiFault.Forbidden(), ApiVerb.WATCH);
        KubernetesRecordStore store = store();
        try (LoggedLines log = new LoggedLines("dev.election")) {
            opened.add(store.watch("a", change -> {})::close);
            Awaitility.await().until(() -> server.count(ApiVerb.WATCH) >= 4);
            assertThat(store.hearsAtOnce()).isFalse();
            assertThat(log.withLevels()).singleElement().asString().contains("cannot watch resource \"leases\"");
        }
    }

    @Test
    void a_watch_that_ends_at_once_each_time_floods_neither_the_api_server_nor_the_log() {
        server.always(new ApiFault.Answer(200, "application/json", Map.of(), ""), ApiVerb.WATCH);
        KubernetesRecordStore store = store();
        try (LoggedLines log = new LoggedLines("dev.election")) {
            long begun = System.nanoTime();
            opened.add(store.watch("a", change -> {})::close);
            Awaitility.await().pollDelay(Duration.ofMillis(1_200)).until(() -> server.count(ApiVerb.WATCH) >= 4);
            long watches = server.count(ApiVerb.WATCH);
            double firstPauses = Duration.ofNanos(System.nanoTime() - begun).toMillis() / 100.0;
            assertThat((double) watches)
                    .as("as many as pauses allow that get twice as long, however slow the machine is")
                    .isLessThanOrEqualTo(2 + Math.log(firstPauses) / Math.log(2));
            assertThat(log.withLevels()).singleElement().asString().contains("the server ends it at once");
        }
    }
}
