package dev.election.zookeeper.internal;

import dev.election.record.RecordStore.Stored;

/**
 * The state of a key: the name of the only child of its node, which is drawn at random when the key is made, the version of that child, and the link
 * over which both were seen. The version of a node repeats where it was deleted and made again, the name of the child never does. Where the
 * store was replaced by a backup, both may repeat, with another text.
 */
record NodeText(String child, int version, String link) {

    static NodeText of(Stored stored) {
        String[] parts = stored.version().split("/", -1);
        return new NodeText(parts[0], Integer.parseInt(parts[1]), parts[2]);
    }

    static Stored stored(Link link, String child, int version, String text) {
        return new Stored(text, child + "/" + version + "/" + link.id());
    }

    /** Whether this is still the state, seen over any link. */
    boolean isThatOf(Stored other) {
        NodeText present = of(other);
        return child.equals(present.child) && version == present.version;
    }
}
