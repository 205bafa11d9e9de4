package dev.election.faults.node;

import dev.election.Election;
import dev.election.Elections;
import dev.election.members.Members;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A node that is a Spring Boot application: what it knows of elections it has from the starter and from properties. */
public final class ApplicationNode {

    private ApplicationNode() {}

    public static void main(String[] arguments) throws Exception {
        NodeSettings settings = NodeSettings.of(arguments);
        new Node(settings, new ApplicationParticipant(settings)).run();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    private static final class ApplicationParticipant implements Participant {

        private final ConfigurableApplicationContext context;

        ApplicationParticipant(NodeSettings settings) {
            context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    // The node leaves by itself on SIGTERM, so that what it says until then comes out.
                    .registerShutdownHook(false)
                    .run(properties(settings).stream()
                            .map(property -> "--" + property)
                            .toArray(String[]::new));
        }

        @Override
        public Election election(String name) {
            return context.getBean(Elections.class).get(name);
        }

        @Override
        public Optional<Members> members() {
            return Optional.of(context.getBean(Members.class));
        }

        /** An application takes part from the moment in which it is ready. */
        @Override
        public void start() {}

        @Override
        public void leave() {
            context.close();
        }

        private static List<String> properties(NodeSettings settings) {
            List<String> properties = new ArrayList<>(settings.store().properties());
            properties.add("election.store=redis");
            properties.add("election.lease=" + settings.lease().toMillis() + "ms");
            properties.add("election.node.id=" + settings.id());
            properties.add("election.members.enabled=true");
            properties.add("election.redis.key-prefix=" + Node.KEY_PREFIX);
            properties.add(
                    "election.shutdown.await=" + settings.timing().drain().toMillis() + "ms");
            properties.add("spring.main.banner-mode=off");
            properties.add("spring.main.log-startup-info=false");
            return properties;
        }
    }
}
