package dev.election.quartz.autoconfigure;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.quartz.QuartzMode;
import dev.election.quartz.internal.rules.SchedulerChoice;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of leader-only Quartz jobs.
 *
 * @param enabled whether Quartz schedulers are guarded; if not, their jobs run on every node
 * @param mode how to keep a scheduler from running leader-only jobs on a node that does not lead
 * @param election the election of jobs for which no other is configured, and of schedulers that are put on standby; * for no
 *     election, so that the jobs run on every node
 * @param groups the elections of the jobs of single groups, by group; * for jobs that run on every node
 * @param recoverWithin how long after its scheduled time a firing that was missed between two leaders is still fired; 0 for never
 * @param confirmClaims whether a job begins only when the store has confirmed that its slot is claimed, which takes one round trip. If
 *     not, jobs also begin while the store does not answer, and a slot may be fired again if its leader dies before the record is written
 */
@ConfigurationProperties("election.quartz")
public record ElectionQuartzProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("auto") QuartzMode mode,
        @DefaultValue(Election.DEFAULT) String election,
        @DefaultValue Map<String, String> groups,
        @DefaultValue("5m") Duration recoverWithin,
        @DefaultValue("false") boolean confirmClaims) {

    public ElectionQuartzProperties {
        groups = new LinkedHashMap<>(groups);
        if (recoverWithin.isNegative()) {
            throw ElectionConfigurationException.ofProperty(
                    "election.quartz.recover-within",
                    "The time can't be negative, but is " + ReadableDuration.of(recoverWithin));
        }
        recoverWithin = Election.bounded(recoverWithin);
    }

    /** The settings of each scheduler. */
    SchedulerChoice choice() {
        return new SchedulerChoice(mode, election, confirmClaims, recoverWithin);
    }
}
