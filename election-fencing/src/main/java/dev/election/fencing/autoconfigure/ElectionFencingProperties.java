package dev.election.fencing.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of fenced writes.
 *
 * @param enabled whether transactions of fenced methods are checked; if not, they commit unchecked
 * @param gate where the gate of tokens keeps the newest one of each resource
 * @param jdbc settings of fenced database transactions
 * @param http settings of fencing tokens between services
 */
@ConfigurationProperties("election.fencing")
public record ElectionFencingProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("auto") Gate gate,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Http http) {

    /** Where the gate of tokens keeps the newest one of each resource. */
    public enum Gate {
        /** In the database if there is a DataSource bean, otherwise in Redis. */
        AUTO,
        /** In the table election_fence of the database. */
        JDBC,
        /** In Redis, through the StringRedisTemplate of the application. */
        REDIS,
        /** In the memory of this process: only where no other process receives tokens for the same resources. */
        MEMORY
    }

    /**
     * Settings of fencing tokens between services.
     *
     * @param sendTo the hosts to which the token of leader work is sent with requests of RestClient, RestTemplate and WebClient: a name, *.name
     *     for all below it, or * for all; none unless set
     * @param allowAnonymous whether a caller that is not authenticated may send a token. Anybody who reaches the service can then keep a leader out
     *     for a day
     */
    public record Http(@DefaultValue List<String> sendTo, @DefaultValue("false") boolean allowAnonymous) {

        private static final Pattern HOST = Pattern.compile("\\*|(\\*\\.)?[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");

        public Http {
            for (String host : sendTo) {
                if (!HOST.matcher(host.strip()).matches()) {
                    throw ElectionConfigurationException.ofProperty(
                            "election.fencing.http.send-to",
                            "It must list names of hosts (a name, *.name or *), without scheme, port or quotes, but contains "
                                    + host);
                }
            }
        }
    }

    /**
     * Settings of fenced database transactions.
     *
     * @param initializeSchema whether to create the table election_fence at the start of an application with fenced methods
     * @param dataSource the name of the DataSource bean with the table election_fence, whose transactions are fenced; the only or the primary
     *     one unless set
     * @param lockTimeout how long a statement waits for the lock of a row in election_fence, in whole seconds. H2 waits as long as its own
     *     LOCK_TIMEOUT to raise a token
     */
    public record Jdbc(
            @DefaultValue("embedded") SchemaInitialization initializeSchema,
            @Nullable String dataSource,
            @DefaultValue("5s") Duration lockTimeout) {

        public Jdbc {
            if (lockTimeout.toSeconds() < 1) {
                throw ElectionConfigurationException.ofProperty(
                        "election.fencing.jdbc.lock-timeout",
                        "The lock timeout must be at least 1 s, but is " + ReadableDuration.of(lockTimeout));
            }
        }
    }

    /** When to create the table. */
    public enum SchemaInitialization {
        /** In embedded databases only. */
        EMBEDDED,
        /** In any database. */
        ALWAYS,
        /** Never. */
        NEVER
    }
}
