package dev.election.redis.internal.requests;

import java.util.List;

/** Number of replicas that must acknowledge the writes of a script. */
public interface Acknowledgement {

    /** No replicas. */
    Acknowledgement NONE = new Acknowledgement() {
        @Override
        public int expected() {
            return 0;
        }

        @Override
        public int needed(List<String> reply) {
            return 0;
        }
    };

    /** Number to wait for directly after the script is sent, before its reply is known; 0 for none. */
    int expected();

    /** Number that the reply of the script requires; 0 if the reply counts without them. */
    int needed(List<String> reply);
}
