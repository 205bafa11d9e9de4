package dev.election.kubernetes;

import static dev.election.kubernetes.TestNode.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.ApiVerb;
import dev.election.harness.StrictApiServer;
import dev.election.record.RecordStore.Change;
import dev.election.store.CampaignReply;
import dev.election.store.Held;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import dev.election.testing.Opened;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** How many requests the store sends for what. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestsTest {

    private final Opened opened = new Opened();
    private final StrictApiServer server = opened.add(new StrictApiServer());
    private final TestNode leader = opened.add(new TestNode(server, "leader"));

    @AfterEach
    void close() throws Exception {
        opened.close();
        assertThat(server.refusals()).isEmpty();
    }

    @Test
    void a_renewal_is_one_patch_and_no_read() {
        CampaignReply.Granted grant = leader.lead("e");
        long patches = server.count(ApiVerb.PATCH);
        long all = server.count();
        for (int i = 0; i < 10; i++) {
            assertThat(leader.renew("e", grant)).isInstanceOf(RenewReply.Renewed.class);
        }
        assertThat(server.count(ApiVerb.PATCH) - patches).isEqualTo(10);
        assertThat(server.count() - all).isEqualTo(10);
    }

    @Test
    void a_release_is_one_patch_and_no_read() {
        CampaignReply.Granted grant = leader.lead("e");
        long patches = server.count(ApiVerb.PATCH);
        long all = server.count();
        ask(leader.release("e", grant));
        assertThat(server.count(ApiVerb.PATCH) - patches).isEqualTo(1);
        assertThat(server.count() - all).isEqualTo(1);
    }

    @Test
    void twenty_campaigns_at_a_time_cost_one_list() {
        List<String> elections =
                IntStream.range(0, 20).mapToObj(i -> "election-" + i).toList();
        elections.forEach(leader::lead);
        TestNode follower = opened.add(new TestNode(server, "follower"));
        for (int round = 0; round < 3; round++) {
            long before = server.count(ApiVerb.READ, ApiVerb.LIST);
            List<CompletionStage<?>> campaigns = follower.campaignTogether(elections);
            assertThat(campaigns)
                    .allSatisfy(reply -> assertThat((Object) ask(reply)).isInstanceOf(Held.class));
            assertThat(server.count(ApiVerb.READ, ApiVerb.LIST) - before).isEqualTo(1);
        }
    }

    @Test
    void a_follower_whose_watch_shows_renewals_sends_nothing_for_them() throws Exception {
        CampaignReply.Granted grant = leader.lead("e");
        TestNode follower = opened.add(new TestNode(server, "follower"));
        assertThat(ask(follower.campaign("e"))).isInstanceOf(Held.class);
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        opened.add(follower.records.watch("e", heard::add)::close);
        BlockingQueue<StoreEvent> events = new LinkedBlockingQueue<>();
        opened.add(follower.store.listen("e", events::add)::close);
        assertThat(events.poll(10, TimeUnit.SECONDS)).isInstanceOf(StoreEvent.Connected.class);
        Awaitility.await().until(() -> server.watches() == 1 && follower.records.hearsAtOnce());
        // The leader has no watch here, and finds the follower by this one.
        assertThat(leader.renew("e", grant)).isInstanceOf(RenewReply.Renewed.class);
        Awaitility.await().until(() -> !heard.isEmpty());
        Thread.sleep(200);
        heard.clear();
        long before = server.count();
        for (int i = 0; i < 10; i++) {
            assertThat(leader.renew("e", grant)).isInstanceOf(RenewReply.Renewed.class);
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isInstanceOf(Change.Text.class);
        }
        assertThat(server.count() - before).isEqualTo(10);
    }
}
