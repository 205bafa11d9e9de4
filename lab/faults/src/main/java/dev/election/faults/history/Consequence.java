package dev.election.faults.history;

/** Consequences that a fault may have by the design: from these follows how long nobody may lead, and whether two may. */
public enum Consequence {
    /** The lease may belong to a node that can't use it: whoever comes next waits for its end. */
    ORPHANED_LEASE,
    /** Requests may still reach the store after the leader has given up on them, and extend the lease once more. */
    LATE_REQUESTS,
    /** The leader gives the lease back in an orderly way. */
    HAND_OVER,
    /** Connections break or hang: the nodes have to notice, and to connect again. */
    LOST_CONNECTIONS,
    /** The store loses what it knows: nothing is granted for a full lease, so that a living leader can renew. */
    FORGETFUL_STORE,
    /** The store may have lost what it acknowledged last: nothing is granted for a full lease, for the same reason. */
    SUSPECT_STORE,
    /** Nobody can be elected before the fault is over: time counts from its end. */
    NO_ELECTION,
    /** The leader can't hear a roll call. */
    UNREACHABLE_LEADER,
    /** A process competes that has never seen a token. */
    FRESH_NODE,
    /** Another server takes over: the nodes find the old one at first, and leave it again. */
    OTHER_PRIMARY,
    /** The leader is cut off together with the old primary, which goes on answering it beside the new one. */
    TWO_PRIMARIES,
    /** A record of long ago is there again, and nothing tells a process that sees it. */
    OLD_RECORD,
    /** Requests and replies take long, and those that are lost come still later, for as long as the fault lasts. */
    SLOW_LINKS
}
