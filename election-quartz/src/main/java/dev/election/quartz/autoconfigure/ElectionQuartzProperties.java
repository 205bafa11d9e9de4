package dev.election.quartz.autoconfigure;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.quartz.QuartzMode;
import dev.election.quartz.internal.rules.SchedulerChoice;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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
 * @param schedulers settings of single schedulers, by the scheduler's name
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
        @DefaultValue Map<String, Special> schedulers,
        @DefaultValue("5m") Duration recoverWithin,
        @DefaultValue("false") boolean confirmClaims) {

    public ElectionQuartzProperties {
        groups = new LinkedHashMap<>(groups);
        schedulers = new LinkedHashMap<>(schedulers);
        if (recoverWithin.isNegative()) {
            throw ElectionConfigurationException.ofProperty(
                    "election.quartz.recover-within",
                    "The time can't be negative, but is " + ReadableDuration.of(recoverWithin));
        }
        recoverWithin = Election.bounded(recoverWithin);
    }

    /**
     * Settings of one scheduler.
     *
     * @param mode how to keep this scheduler from running leader-only jobs on a node that does not lead; election.quartz.mode unless set
     * @param election the election of this scheduler if it is put on standby; election.quartz.election unless set
     * @param confirmClaims whether a job of this scheduler begins only when the store has confirmed that its slot is claimed;
     *     election.quartz.confirm-claims unless set
     */
    public record Special(@Nullable QuartzMode mode, @Nullable String election, @Nullable Boolean confirmClaims) {

        private static final Special NONE = new Special(null, null, null);
    }

    /** The settings of the scheduler of that name. */
    SchedulerChoice choice(String scheduler) {
        Special special = schedulers.getOrDefault(scheduler, Special.NONE);
        return new SchedulerChoice(
                Objects.requireNonNullElse(special.mode(), mode),
                Objects.requireNonNullElse(special.election(), election),
                Objects.requireNonNullElse(special.confirmClaims(), confirmClaims),
                recoverWithin);
    }
}
