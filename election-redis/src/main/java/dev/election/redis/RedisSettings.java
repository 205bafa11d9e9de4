package dev.election.redis;

import dev.election.StoreProblem;
import dev.election.redis.internal.failure.Failures;
import dev.election.store.NoAnswer;

/**
 * Settings of the store.
 *
 * @param keySpace where the keys are
 * @param history how many leaderships of each election are remembered, 0 for none
 * @param settleTime how long a Redis without any record of an election grants nothing
 * @param replicas how many have to acknowledge a grant or a renewal before it counts
 * @param names by which messages call these settings
 */
public record RedisSettings(
        RedisKeySpace keySpace, int history, SettleTime settleTime, AcknowledgingReplicas replicas, Names names) {

    /** Default number of leaderships that are remembered for each election. */
    public static final int DEFAULT_HISTORY = 100;

    /** Creates the settings with default values, but for the keys. */
    public static RedisSettings of(RedisKeySpace keySpace) {
        return new RedisSettings(
                keySpace, DEFAULT_HISTORY, SettleTime.AS_NEEDED, AcknowledgingReplicas.NONE, Names.DEFAULT);
    }

    /** Returns these settings with another length of the history. */
    public RedisSettings history(int leaderships) {
        return new RedisSettings(keySpace, leaderships, settleTime, replicas, names);
    }

    /** Returns these settings with another settle time. */
    public RedisSettings settleTime(SettleTime time) {
        return new RedisSettings(keySpace, history, time, replicas, names);
    }

    /** Returns these settings with replicas that have to acknowledge. */
    public RedisSettings replicas(AcknowledgingReplicas needed) {
        return new RedisSettings(keySpace, history, settleTime, needed, names);
    }

    /**
     * Names of the settings in messages, such as those of properties.
     *
     * @param keyPrefix the prefix of the keys
     * @param acknowledgingReplicas the number of replicas that have to acknowledge
     */
    public record Names(String keyPrefix, String acknowledgingReplicas) {

        /** The names in this API. */
        public static final Names DEFAULT = new Names("keyPrefix", "acknowledgingReplicas");

        /** Translates the failure of a request. */
        NoAnswer noAnswer(Throwable failure) {
            return Failures.noAnswer(failure, keyPrefix, acknowledgingReplicas);
        }

        /** Translates the failure of a request with these keys. Redis does not say which key is of another type. */
        NoAnswer noAnswer(Throwable failure, String keys) {
            NoAnswer answer = noAnswer(failure);
            return answer.problem() == StoreProblem.WRONG_TYPE
                    ? new NoAnswer(
                            answer.problem(),
                            answer.detail(),
                            "one of the keys " + keys + " has a value of another type: find it with TYPE and delete it,"
                                    + " or choose another " + keyPrefix)
                    : answer;
        }
    }
}
