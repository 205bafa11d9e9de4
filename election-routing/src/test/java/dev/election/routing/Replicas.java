package dev.election.routing;

import dev.election.Election;
import dev.election.Elections;
import dev.election.Leader;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.Wait;
import dev.election.members.Member;
import dev.election.members.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyReactiveManagementContextAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyServletManagementContextAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.reactive.JettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatReactiveManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatServletManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** Replicas of an application in this process, each with a real server, on one real Redis. */
final class Replicas implements AutoCloseable {

    static final String ELECTION = "orders";

    /** Applications of Spring MVC run on Tomcat, and those of WebFlux on Netty. */
    static final String USUAL_SERVERS = without(
            JettyServletWebServerAutoConfiguration.class,
            JettyServletManagementContextAutoConfiguration.class,
            JettyReactiveWebServerAutoConfiguration.class,
            JettyReactiveManagementContextAutoConfiguration.class,
            TomcatReactiveWebServerAutoConfiguration.class,
            TomcatReactiveManagementContextAutoConfiguration.class);

    /** Applications of Spring MVC run on Jetty. */
    static final String JETTY = without(
            TomcatServletWebServerAutoConfiguration.class, TomcatServletManagementContextAutoConfiguration.class);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final RedisProcess redis = new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0));
    private final List<Replica> replicas = new ArrayList<>();
    private final Class<?> application;
    private final WebApplicationType type;
    private final List<String> properties;

    Replicas(Class<?> application, WebApplicationType type, String... properties) {
        this.application = application;
        this.type = type;
        this.properties = List.of(properties);
    }

    /** Starts replicas that know each other and their leader. */
    Replicas start(int count) {
        for (int i = 0; i < count; i++) {
            add("node-" + i);
        }
        awaitLeader();
        return this;
    }

    /** Starts one more. */
    Replica add(String id, String... more) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
                .web(type)
                .registerShutdownHook(false)
                .properties("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port())
                .properties("server.port=0", "spring.main.banner-mode=off", "spring.jmx.enabled=false")
                .properties(
                        "election.lease=4s",
                        "election.shutdown.await=1s",
                        "election.node.id=" + id,
                        "election.node.address=127.0.0.1")
                .properties("election.node.public-uri=http://public-" + id + ".example.org/base")
                .properties("spring.security.user.name=user", "spring.security.user.password=secret")
                .properties("spring.data.redis.repositories.enabled=false", USUAL_SERVERS)
                .properties(properties.toArray(new String[0]))
                .properties(more)
                .run();
        Replica replica = new Replica(id, context);
        replicas.add(replica);
        return replica;
    }

    /** The tests have all servers on their class path. */
    private static String without(Class<?>... configurations) {
        return Stream.of(configurations)
                .map(Class::getName)
                .collect(Collectors.joining(",", "spring.autoconfigure.exclude=", ""));
    }

    List<Replica> all() {
        return replicas;
    }

    Replica leader() {
        return one(replica -> replica.election().isLeader());
    }

    /** One that does not lead. */
    Replica follower() {
        return one(replica -> !replica.election().isLeader());
    }

    private Replica one(Predicate<Replica> wanted) {
        return replicas.stream().filter(wanted).findFirst().orElseThrow();
    }

    /** All of them know the one that leads, and where it is reached. */
    void awaitLeader() {
        Wait.until("all know the leader", PATIENCE, () -> {
            List<Replica> leading = replicas.stream()
                    .filter(replica -> replica.election().isLeader())
                    .toList();
            return leading.size() == 1 && replicas.stream().allMatch(replica -> replica.knows(leading.get(0)));
        });
    }

    /** Another one leads. */
    void move() {
        Replica before = leader();
        before.election().abdicate().toCompletableFuture().join();
        Wait.until("another one leads", PATIENCE, () -> replicas.stream()
                .anyMatch(replica -> replica != before && replica.election().isLeader()));
        awaitLeader();
    }

    @Override
    public void close() {
        replicas.forEach(replica -> replica.context.close());
        redis.close();
    }

    /**
     * One of them.
     *
     * @param id of the node
     * @param context its application
     */
    record Replica(String id, ConfigurableApplicationContext context) {

        Election election() {
            return context.getBean(Elections.class).get(ELECTION);
        }

        int port() {
            return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
        }

        String uri(String path) {
            return "http://127.0.0.1:" + port() + path;
        }

        /** A client may see the end of a response before the server tells of it. */
        void awaitNoWork(Duration longest) {
            Wait.until("no work is left", longest, () -> election().runningWork() == 0);
        }

        private boolean knows(Replica leader) {
            return election()
                            .leader()
                            .map(Leader::node)
                            .filter(leader.id::equals)
                            .isPresent()
                    && context.getBean(Members.class)
                            .confirmed(leader.id)
                            .map(Member::uri)
                            .filter(uri -> !uri.isEmpty())
                            .isPresent();
        }
    }
}
