package dev.election.redis.internal;

import java.util.List;

/** How many replicas have to acknowledge what a script wrote. */
public interface Acknowledgement {

    /** Nobody waits for replicas. */
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

    /** How many are waited for right behind the script, whose reply is not known yet; 0 for none. */
    int expected();

    /** How many it takes by the reply of the script; 0 if the reply counts without them. */
    int needed(List<String> reply);
}
