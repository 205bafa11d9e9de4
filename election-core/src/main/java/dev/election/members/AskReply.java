package dev.election.members;

/** The result of a question to another member. */
public sealed interface AskReply {

    /**
     * The handler of the other member has replied.
     *
     * @param body the reply, empty if it returned nothing
     */
    record Answered(String body) implements AskReply {}

    /**
     * There is no reply.
     *
     * @param reason why
     * @param detail the reason in a sentence
     */
    public record Unanswered(Reason reason, String detail) implements AskReply {}

    /** The reason why there is no reply. */
    enum Reason {
        /** This process knows no such member, or no leader of the election. */
        NO_SUCH_MEMBER,
        /** The member has no handler of that type. */
        UNKNOWN_TYPE,
        /** The handler has thrown an exception, or its reply was too large. */
        HANDLER_FAILED,
        /** No reply came in time. The handler may still run. */
        NO_REPLY,
        /**
         * The store gave no answer, this process was no member in time, or too many of its messages are under way. Whether the question was
         * sent is not known.
         */
        STORE_UNAVAILABLE
    }
}
