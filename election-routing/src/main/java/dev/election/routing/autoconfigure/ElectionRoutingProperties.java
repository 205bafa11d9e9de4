package dev.election.routing.autoconfigure;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.routing.RoutingMode;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Properties of requests that only the leader may serve.
 *
 * @param routes paths that only a leader serves, besides handlers with the annotation OnLeader; the first one that matches counts
 * @param waitForLeader how long a request waits for a leader before it is refused with 503
 * @param timeout how long the leader may send nothing before a forwarded request fails: before its response begins, or between two parts of it
 * @param sslBundle the name of the SSL bundle for connections to members whose URI begins with https; the trusted certificates of the JDK
 *     unless set
 */
@ConfigurationProperties("election.routing")
public record ElectionRoutingProperties(
        @DefaultValue List<Route> routes,
        @Name("wait") @DefaultValue("2s") Duration waitForLeader,
        @DefaultValue("60s") Duration timeout,
        @Nullable String sslBundle) {

    static final String PREFIX = "election.routing";

    private static final Duration LONGEST = Duration.ofDays(1);

    public ElectionRoutingProperties {
        requireTime("wait", waitForLeader, Duration.ZERO);
        requireTime("timeout", timeout, Duration.ofMillis(1));
    }

    private static void requireTime(String name, Duration time, Duration shortest) {
        if (time.compareTo(shortest) < 0 || time.compareTo(LONGEST) > 0) {
            throw ElectionConfigurationException.ofProperty(
                    PREFIX + "." + name,
                    "The time must lie between " + ReadableDuration.of(shortest) + " and "
                            + ReadableDuration.of(LONGEST) + ", but is " + ReadableDuration.of(time));
        }
    }

    /**
     * Paths that only a leader serves.
     *
     * @param path a pattern of paths within the application, such as /admin/**
     * @param election the name of the election
     * @param mode what a node that does not lead does with a request
     */
    public record Route(
            String path, @DefaultValue(Election.DEFAULT) String election, @DefaultValue("forward") RoutingMode mode) {}
}
