package dev.election.store;

/** What a listener to the messages of members hears. */
public sealed interface MemberMessage {

    /**
     * A text has come. Whoever may publish there may have sent it.
     *
     * @param text as it was sent
     */
    record Received(String text) implements MemberMessage {}

    /** Messages can be heard from here on, for the first time or again: earlier ones may be lost. */
    record Connected() implements MemberMessage {}
}
