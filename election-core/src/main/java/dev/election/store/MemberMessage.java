package dev.election.store;

/** A text for a listener of {@link MemberMessaging}, or news of its connection. */
public sealed interface MemberMessage {

    /**
     * A text has come. Anybody who may publish in the store may have sent it.
     *
     * @param text as it was sent
     */
    record Received(String text) implements MemberMessage {}

    /** Texts are received from here on, for the first time or again: earlier ones may be lost. */
    record Connected() implements MemberMessage {}
}
