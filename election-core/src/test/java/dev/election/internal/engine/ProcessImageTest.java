package dev.election.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AbdicationOutcome;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.internal.election.ElectionFixture;
import dev.election.internal.election.HandDrivenLoop;
import dev.election.internal.election.Identity;
import dev.election.internal.election.ScriptedStore;
import dev.election.store.Candidate;
import dev.election.store.ReleaseReply;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.Provider;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A process image may be started more than once: copies share all state, also that of generators of random numbers. */
class ProcessImageTest {

    private final ScriptedStore store = new ScriptedStore();
    private final HandDrivenLoop loop = new HandDrivenLoop();

    @Test
    void copies_whose_generators_have_the_same_state_have_ids_of_their_own() throws Exception {
        Security.insertProviderAt(new CopiedState(), 1);
        try {
            List<String> one = startedCopy();
            List<String> other = startedCopy();
            assertThat(one).hasSize(2).doesNotContainAnyElementsOf(other);
        } finally {
            Security.removeProvider(CopiedState.NAME);
        }
    }

    @Test
    void each_start_is_of_another_candidate_on_another_node() {
        ElectionEngine engine = engine(NodeInfo::ofThisHost);
        String built = engine.node();
        Candidate first = started(engine);
        assertThat(built).as("in an image that was made before the first start").isNotEqualTo(engine.node());
        stop(engine);
        Candidate second = started(engine);
        assertThat(instance(second)).isNotEqualTo(instance(first));
        assertThat(second.node().id()).isNotEqualTo(first.node().id()).isEqualTo(engine.node());
    }

    @Test
    void a_node_id_that_was_set_stays_and_the_copies_are_told_apart() {
        ElectionEngine engine = engine(() -> new NodeInfo("me", "me:80"));
        Candidate first = started(engine);
        stop(engine);
        Candidate second = started(engine);
        assertThat(instance(second)).isNotEqualTo(instance(first));
        assertThat(second.node()).isEqualTo(first.node());
    }

    @Test
    void a_grant_that_comes_after_a_restart_is_given_back_by_whom_it_was_granted_to() {
        ElectionFixture fixture = ElectionFixture.started();
        var late = fixture.store.campaigns.remove();
        fixture.election.stop();
        fixture.loop.settle();
        fixture.store.releases.remove().answer(new ReleaseReply.NotHeld());
        fixture.loop.settle();
        fixture.start(new Identity(new NodeInfo("me-2", "me:80"), "another"));
        late.answer(ScriptedStore.granted(100));
        fixture.loop.settle();
        assertThat(fixture.election.isLeader()).isFalse();
        assertThat(fixture.store.releases.remove().request().candidate())
                .isEqualTo(late.request().candidate());
        assertThat(fixture.store.campaigns.remove().request().candidate().candidacy())
                .startsWith("another.");
    }

    @Test
    void a_node_that_is_started_while_it_still_holds_its_lease_gives_it_back_before_it_is_another() {
        ElectionFixture fixture = ElectionFixture.leading();
        CompletionStage<AbdicationOutcome> stopped = fixture.election.stop();
        fixture.start(new Identity(new NodeInfo("me-2", "me:80"), "another"));
        var release = fixture.store.releases.remove();
        assertThat(release.request().candidate().node().id()).isEqualTo("me");
        assertThat(release.request().candidate().candidacy()).startsWith("instance.");
        release.answer(new ReleaseReply.Released());
        fixture.pass(ElectionFixture.LEASE);
        assertThat(stopped).isCompleted();
        Candidate next = fixture.store.campaigns.getLast().request().candidate();
        assertThat(next.node().id()).isEqualTo("me-2");
        assertThat(next.candidacy()).startsWith("another.");
    }

    /** In a class loader of its own: a copy of all that was loaded and drawn before. */
    private static List<String> startedCopy() throws Exception {
        URL[] classes = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(ProcessImageTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader copy = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            Class<?> main = copy.loadClass(Copy.class.getName());
            @SuppressWarnings("unchecked")
            List<String> ids =
                    ((Supplier<List<String>>) main.getDeclaredConstructor().newInstance()).get();
            return ids;
        }
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private ElectionEngine engine(Supplier<NodeInfo> node) {
        ElectionEngine engine = ElectionEngine.over(store)
                .as(node)
                .loop(loop, loop)
                .callbacks(Runnable::run)
                .build();
        engine.get("reports");
        return engine;
    }

    private Candidate started(ElectionEngine engine) {
        engine.start();
        loop.settle();
        return store.campaigns.remove().request().candidate();
    }

    private void stop(ElectionEngine engine) {
        CompletableFuture<Void> stopped = engine.stop().toCompletableFuture();
        loop.settle();
        store.releases.remove().answer(new ReleaseReply.NotHeld());
        loop.settle();
        assertThat(stopped).isCompleted();
    }

    private static String instance(Candidate candidate) {
        return candidate.candidacy().split("\\.")[0];
    }

    /** The process that is copied: tells the id of its node and the instance of its candidacy. */
    public static final class Copy implements Supplier<List<String>> {

        /** Made by a loader. */
        public Copy() {}

        @Override
        public List<String> get() {
            ProcessImageTest test = new ProcessImageTest();
            Candidate candidate = test.started(test.engine(NodeInfo::ofThisHost));
            return List.of(candidate.node().id(), instance(candidate));
        }
    }

    /** Every new generator begins with the same state, as the copies of one that was made before the image. */
    private static final class CopiedState extends Provider {

        private static final String NAME = "copied-state";
        private static final long serialVersionUID = 1L;

        CopiedState() {
            super(NAME, "1", "Generators with one state");
            put("SecureRandom.Copied", Repeating.class.getName());
        }
    }

    /** Draws the same as every other one. */
    public static final class Repeating extends SecureRandomSpi {

        private static final long serialVersionUID = 1L;

        private byte next;

        /** Made by the provider. */
        public Repeating() {}

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = next++;
            }
        }

        @Override
        protected byte[] engineGenerateSeed(int length) {
            byte[] seed = new byte[length];
            engineNextBytes(seed);
            return seed;
        }
    }
}
