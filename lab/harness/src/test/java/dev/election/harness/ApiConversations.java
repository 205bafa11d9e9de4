package dev.election.harness;

import static dev.election.harness.ApiTalk.LEASES;
import static dev.election.harness.ApiTalk.PODS;
import static dev.election.harness.ApiTalk.json;
import static dev.election.harness.ApiTalk.uid;
import static dev.election.harness.ApiTalk.version;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/**
 * All that a store says to an API server, and what it may hear. The answers are those in {@code src/test/resources/conversations}, which a
 * real server gave: {@code -Delection.test.record=true} writes them again.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ApiConversations {

    private static final String SPEC =
            "{'holderIdentity':'node','leaseDurationSeconds':15,'acquireTime':'2026-11-28T11:00:00.000000Z',"
                    + "'renewTime':'2026-11-28T11:00:00.123456Z','leaseTransitions':3}";

    private Path recorded;

    /** Servers that answer the same. */
    abstract List<ApiServer> servers();

    /** Whether the last of the servers is real, so that its answers may be recorded. */
    abstract boolean isReal();

    @FunctionalInterface
    interface Conversation {
        void with(ApiTalk talk) throws Exception;
    }

    @BeforeEach
    void find(TestInfo test) {
        recorded = Path.of(
                "src",
                "test",
                "resources",
                "conversations",
                test.getTestMethod().orElseThrow().getName() + ".txt");
    }

    @Test
    void an_absent_lease_is_not_found() throws Exception {
        hold(talk -> {
            JsonNode absent = talk.read("absent");
            talk.patch("absent", absent, "text", "{}");
            talk.delete("absent", "5ce111fc-84b0-4544-9bba-9b1ee2d589ea", "1");
        });
    }

    @Test
    void a_lease_is_created_once() throws Exception {
        hold(talk -> {
            talk.create("created", "created", "f", "text <&> äöü €", SPEC);
            talk.read("created");
            talk.create("created", "created", "f", "other", "{}");
            talk.create("bare", "created", "f", "", "{}");
        });
    }

    @Test
    void a_lease_is_not_created_in_an_absent_namespace() throws Exception {
        hold(talk -> {
            String lease = ApiTalk.lease("nowhere", "nowhere", "f", "text", "{}");
            talk.tell("POST", LEASES.replace("default", "absent"), "application/json", lease);
        });
    }

    @Test
    void a_patch_replaces_the_text_that_it_names_in_the_object_that_it_names() throws Exception {
        hold(talk -> {
            JsonNode first = talk.create("patched", "patched", "f", "first", SPEC);
            JsonNode second = talk.patch("patched", first, "second", SPEC.replace("node", "other"));
            talk.patch("patched", first, "stale", "{}");
            talk.patch("patched", talk.create("another", "patched", "f", "second", "{}"), "of another", "{}");
            talk.patch("patched", second, "second", SPEC.replace("node", "other"));
            JsonNode third = talk.patch("patched", second, "third", "{'leaseTransitions':4}");
            talk.patch("patched", third, "", "{}");
            talk.read("patched");
        });
    }

    @Test
    void a_patch_of_six_writers_has_one_winner() throws Exception {
        hold(talk -> {
            JsonNode old = talk.create("raced", "raced", "f", "old", "{}");
            ExecutorService writers = Executors.newFixedThreadPool(6);
            List<Callable<Integer>> patches = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String patch = ApiTalk.patch(old, "of " + i, "{}");
                patches.add(() -> talk.ask("PATCH", LEASES + "/raced", "application/json-patch+json", patch)
                        .statusCode());
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> status : writers.invokeAll(patches)) {
                statuses.add(status.get());
            }
            writers.shutdown();
            talk.note("< " + statuses.stream().sorted().toList());
        });
    }

    @Test
    void a_text_has_a_limit() throws Exception {
        hold(talk -> {
            String text = "x".repeat(262_144);
            talk.create("long", "long", "f", text, "{}");
            JsonNode old = talk.create("long", "long", "f", "old", "{}");
            talk.patch("long", old, text, "{}");
            int names = "election.dev/keyelection.dev/textelection.dev/hash".length() + "the key".length() + 32;
            talk.patch("long", old, "x".repeat(262_144 - names + 1), "{}");
            talk.patch("long", old, "x".repeat(262_144 - names), "{}");
        });
    }

    @Test
    void a_list_is_of_labels() throws Exception {
        hold(talk -> {
            talk.create("list-c", "list", "c", "text", "{}");
            talk.create("list-a", "list", "a", "text", SPEC);
            talk.create("list-b", "list", "b", "text", "{}");
            talk.create("tsil-a", "tsil", "a", "text", "{}");
            talk.list("election.dev%2Fprefix%3Dlist");
            talk.list("election.dev%2Fprefix%3Dlist%2Celection.dev%2Ffolder%3Da");
            talk.list("election.dev%2Fprefix%3Dlist%2Celection.dev%2Ffolder%20in%20%28a%2Cb%29");
            talk.list("election.dev%2Fprefix%3Dlist%2Celection.dev%2Ffolder%3Dd");
        });
    }

    @Test
    void a_list_is_of_a_name() throws Exception {
        hold(talk -> {
            talk.create("named", "named", "a", "text", SPEC);
            talk.create("named-b", "named", "b", "text", "{}");
            talk.tell("GET", LEASES + "?fieldSelector=metadata.name%3Dnamed", "", "");
            talk.tell("GET", LEASES + "?fieldSelector=metadata.name%3Dnamed-c", "", "");
        });
    }

    @Test
    void a_deletion_has_preconditions() throws Exception {
        hold(talk -> {
            JsonNode first = talk.create("deleted", "deleted", "f", "text", "{}");
            JsonNode empty = talk.patch("deleted", first, "", "{}");
            talk.delete("deleted", uid(empty), version(first));
            talk.delete("deleted", "5ce111fc-84b0-4544-9bba-9b1ee2d589ea", version(empty));
            talk.delete("deleted", "5ce111fc-84b0-4544-9bba-9b1ee2d589ea", version(first));
            talk.delete("deleted", uid(empty), version(empty));
            talk.delete("deleted", uid(empty), version(empty));
            talk.patch("deleted", empty, "too late", "{}");
            JsonNode second = talk.create("deleted", "deleted", "f", "", "{}");
            talk.patch("deleted", empty, "too late", "{}");
            talk.delete("deleted", uid(empty), version(second));
        });
    }

    @Test
    void what_people_change_stays_or_is_noticed() throws Exception {
        hold(talk -> {
            JsonNode first = talk.create("edited", "edited", "f", "first", SPEC);
            String lease = ApiTalk.lease("edited", "edited", "f", "first", "{}");
            talk.server().put(LEASES + "/edited", lease.replace(json("'labels':{"), json("'labels':{'team':'a',")));
            JsonNode second = talk.patch("edited", first, "second", SPEC);
            talk.server()
                    .put(
                            LEASES + "/edited",
                            json(
                                    "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'edited'}}"));
            talk.read("edited");
            talk.patch("edited", second, "third", SPEC);
            talk.server().delete(LEASES + "/edited");
            talk.patch("edited", second, "third", SPEC);
        });
    }

    @Test
    void who_has_no_right_is_told_which() throws Exception {
        hold(talk -> {
            JsonNode lease = talk.create("secret", "secret", "f", "text", "{}");
            talk.as(ApiServer.NOBODY);
            talk.read("secret");
            talk.list("election.dev%2Fprefix%3Dsecret");
            talk.watch(version(lease), 1, "election.dev%2Fprefix%3Dsecret").events(1);
            talk.create("secret", "secret", "f", "text", "{}");
            talk.patch("secret", lease, "text", "{}");
            talk.delete("secret", uid(lease), version(lease));
            talk.tell("GET", PODS + "?labelSelector=election.dev%2Fsecret%3Dleader", "", "");
            talk.tell("PATCH", PODS + "/secret", "application/merge-patch+json", mergeLabel("secret"));
            talk.as("wrong");
            talk.read("secret");
            talk.as("");
            talk.patch("secret", lease, "text", "{}");
        });
    }

    @Test
    void a_watch_tells_what_happened_to_the_labels() throws Exception {
        hold(talk -> {
            talk.create("watched-0", "watched", "a", "text", "{}");
            JsonNode list = talk.list("election.dev%2Fprefix%3Dwatched");
            JsonNode a = talk.create("watched-a", "watched", "a", "text", SPEC);
            talk.create("watched-c", "watched", "c", "text", "{}");
            String selector = "election.dev%2Fprefix%3Dwatched%2Celection.dev%2Ffolder%20in%20%28a%2Cb%29";
            try (ApiTalk.Watch watch = talk.watch(version(list), 60, selector)) {
                watch.events(1);
                JsonNode b = talk.create("watched-b", "watched", "b", "text", "{}");
                watch.events(1);
                talk.patch("watched-a", a, "second", "{}");
                watch.events(1);
                talk.delete("watched-b", uid(b), version(b));
                watch.events(1);
            }
        });
    }

    @Test
    void a_watch_ends_after_its_time() throws Exception {
        hold(talk -> {
            JsonNode lease = talk.create("ended", "ended", "a", "text", "{}");
            try (ApiTalk.Watch watch = talk.watch(version(lease), 1, "election.dev%2Fprefix%3Dended")) {
                watch.events(1);
            }
            talk.read("ended");
        });
    }

    @Test
    void a_watch_from_a_forgotten_version_has_expired() throws Exception {
        hold(talk -> {
            try (ApiTalk.Watch watch = talk.watch("1", 60, "election.dev%2Fprefix%3Dp")) {
                watch.events(2);
            }
        });
    }

    @Test
    void a_watch_from_a_future_version_is_silent() throws Exception {
        hold(talk -> {
            try (ApiTalk.Watch watch = talk.watch("1000000000", 2, "election.dev%2Fprefix%3Dfuture")) {
                talk.create("future", "future", "a", "text", "{}");
                watch.events(1);
            }
        });
    }

    @Test
    void a_watch_brings_bookmarks() throws Exception {
        hold(talk -> {
            JsonNode lease = talk.create("marked", "marked", "a", "text", "{}");
            // A real server sends one two seconds before the end, if the version is another one.
            try (ApiTalk.Watch watch = talk.watch(version(lease), 6, "election.dev%2Fprefix%3Dmarked")) {
                talk.create("other", "other", "a", "text", "{}");
                if (talk.server() instanceof StrictApiServer strict) {
                    strict.bookmark();
                }
                watch.events(1);
            }
        });
    }

    @Test
    void a_client_is_known_by_its_certificate() throws Exception {
        for (ApiServer server : servers()) {
            ApiTalk talk = new ApiTalk(server, Certificate.CLIENT, Certificate.LOOPBACK);
            talk.as("");
            assertThat(talk.ask("GET", LEASES + "/absent", "", "").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void the_label_of_a_pod_is_patched() throws Exception {
        hold(talk -> {
            String leaders = PODS + "?labelSelector=election.dev%2Fe%3Dleader";
            talk.server().put(PODS + "/pod", pod("pod", "'app':'a'"));
            talk.server().put(PODS + "/bare", pod("bare", ""));
            talk.tell("GET", leaders, "", "");
            talk.tell("PATCH", PODS + "/pod", "application/merge-patch+json", mergeLabel("e"));
            talk.tell("PATCH", PODS + "/bare", "application/merge-patch+json", mergeLabel("e"));
            JsonNode pod = talk.tell("GET", leaders, "", "").at("/items/1");
            JsonNode bare = talk.tell("GET", leaders, "", "").at("/items/0");
            String other = "5ce111fc-84b0-4544-9bba-9b1ee2d589ea";
            for (String uid : List.of(other, uid(pod), uid(pod))) {
                talk.tell("PATCH", PODS + "/pod", "application/json-patch+json", patchLabel(uid, "remove", ""));
            }
            talk.tell("PATCH", PODS + "/bare", "application/json-patch+json", patchLabel(uid(bare), "remove", ""));
            for (String uid : List.of(other, uid(pod))) {
                talk.tell(
                        "PATCH",
                        PODS + "/pod",
                        "application/json-patch+json",
                        patchLabel(uid, "add", ",'value':'leader'"));
            }
            talk.tell(
                    "PATCH",
                    PODS + "/bare",
                    "application/json-patch+json",
                    patchLabel(uid(bare), "add", ",'value':'leader'"));
            talk.tell("PATCH", PODS + "/absent", "application/merge-patch+json", mergeLabel("e"));
            talk.server().delete(PODS + "/pod");
            talk.tell("GET", leaders, "", "");
        });
    }

    @Test
    void a_restart_keeps_the_data() throws Exception {
        hold(talk -> {
            talk.create("kept", "kept", "a", "text", "{}");
            talk.server().stop();
            talk.server().start();
            talk.read("kept");
            talk.server().kill();
            talk.server().start();
            talk.read("kept");
        });
    }

    @Test
    void a_restored_server_takes_a_patch_of_the_restored_text() throws Exception {
        hold(talk -> {
            JsonNode old = talk.create("restored", "restored", "a", "old", "{}");
            talk.server().snapshot();
            JsonNode lost = talk.patch("restored", old, "lost", "{}");
            talk.server().restore();
            talk.forgetVersions();
            talk.read("restored");
            talk.patch("restored", lost, "too late", "{}");
            talk.patch("restored", old, "new", "{}");
            talk.delete("restored", uid(old), version(old));
        });
    }

    /** The last one: the watches of another one after it would be silent, too. */
    @Test
    @Order(Integer.MAX_VALUE)
    void below_a_running_server_a_restore_is_seen_by_readers_and_not_by_watches() throws Exception {
        hold(talk -> {
            JsonNode old = talk.create("below", "below", "a", "old", "{}");
            talk.server().snapshot();
            JsonNode lost = talk.patch("below", old, "lost", "{}");
            for (int i = 0; i < 20; i++) {
                lost = talk.patch("below", lost, "lost " + i, "{}");
            }
            // Long enough for a real etcd to come back.
            int seconds = isReal() ? 10 : 1;
            try (ApiTalk.Watch watch = talk.watch(version(lost), seconds, "election.dev%2Fprefix%3Dbelow")) {
                talk.server().restoreBelow();
                talk.forgetVersions();
                talk.read("below");
                JsonNode list = talk.list("election.dev%2Fprefix%3Dbelow");
                talk.note("The version of the list fell: "
                        + (Long.parseLong(version(list)) < Long.parseLong(version(lost))));
                talk.patch("below", lost, "too late", "{}");
                talk.patch("below", old, "new", "{}");
                watch.events(1);
            }
        });
    }

    private static String mergeLabel(String election) {
        return json("{'metadata':{'labels':{'election.dev/" + election + "':'leader'}}}");
    }

    private static String patchLabel(String uid, String operation, String value) {
        return json("[{'op':'test','path':'/metadata/uid','value':'" + uid + "'},{'op':'" + operation
                + "','path':'/metadata/labels/election.dev~1e'" + value + "}]");
    }

    private static String pod(String name, String labels) {
        return json("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" + name + "','labels':{" + labels
                + "}},'spec':{'containers':[{'name':'c','image':'i'}],'automountServiceAccountToken':false}}");
    }

    private void hold(Conversation conversation) throws Exception {
        String last = "";
        for (ApiServer server : servers()) {
            ApiTalk talk = new ApiTalk(server);
            conversation.with(talk);
            last = talk.transcript();
            if (!Boolean.getBoolean("election.test.record")) {
                assertThat(last).as("answers of %s", server).isEqualTo(Files.readString(recorded));
            }
            if (server instanceof StrictApiServer strict) {
                assertThat(strict.refusals()).isEmpty();
            }
        }
        if (isReal() && Boolean.getBoolean("election.test.record")) {
            Files.writeString(recorded, last);
        }
    }
}
