package dev.election.autoconfigure;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of guarded methods that are scheduled by Spring.
 *
 * @param recoverWithin how long after its scheduled time a slot of a cron expression that no leader has run is run by the next leader, where
 *     the guard of the method does not say; 0 for never
 */
@ConfigurationProperties("election.scheduling")
public record ElectionSchedulingProperties(@DefaultValue("0s") Duration recoverWithin) {

    public ElectionSchedulingProperties {
        if (recoverWithin.isNegative()) {
            throw ElectionConfigurationException.ofProperty(
                    "election.scheduling.recover-within",
                    "The time can't be negative, but is " + ReadableDuration.of(recoverWithin));
        }
        recoverWithin = Election.bounded(recoverWithin);
    }
}
