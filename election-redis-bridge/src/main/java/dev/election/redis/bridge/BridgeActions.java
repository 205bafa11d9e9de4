package dev.election.redis.bridge;

/**
 * Actions of the operator in messages of the bridge, in words of the wiring: names of properties, or requests to an endpoint.
 *
 * @param correctNames corrects the names of the key and of the lock
 * @param takeOver takes the key from an old master that is gone, whose id follows this text
 * @param remove ends the use of the bridge
 */
public record BridgeActions(String correctNames, String takeOver, String remove) {

    /** The actions in terms of this API. */
    public static final BridgeActions DEFAULT = new BridgeActions(
            "correct the key and the lock of the BridgeSettings",
            "call Bridge.takeOver with the master ",
            "the bridge can be removed");
}
