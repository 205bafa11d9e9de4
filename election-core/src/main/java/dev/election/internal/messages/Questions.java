package dev.election.internal.messages;

import dev.election.members.AskReply;
import dev.election.members.AskReply.Reason;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The open questions of this process. Thread-safe. */
final class Questions {

    private final Map<String, Question> open = new ConcurrentHashMap<>();

    /** Adds a question that is about to be sent to that instance. */
    void asked(String id, String instance, String name, CompletableFuture<AskReply> answer) {
        open.put(id, new Question(instance, name, answer));
    }

    /** Removes a question that is answered or has timed out. */
    void forget(String id) {
        open.remove(id);
    }

    /** Takes a reply. Returns false if it has no open question, or if another member was asked. */
    boolean take(WireMessage reply) {
        Question question = open.get(reply.id());
        if (question == null || !question.instance.equals(reply.from()) || !open.remove(reply.id(), question)) {
            return false;
        }
        return question.answer.complete(question.read(reply));
    }

    /** Ends all questions: this process is no member any more, so no reply arrives. */
    void abandonAll() {
        List<Question> all = List.copyOf(open.values());
        open.clear();
        all.forEach(question -> question.answer.complete(
                new AskReply.Unanswered(Reason.STORE_UNAVAILABLE, "This process has stopped its elections")));
    }

    private record Question(String instance, String name, CompletableFuture<AskReply> answer) {

        private AskReply read(WireMessage reply) {
            return switch (reply.kind()) {
                case FAILURE ->
                    new AskReply.Unanswered(
                            Reason.HANDLER_FAILED,
                            "The handler of " + name + " for '" + reply.type() + "' failed: " + reply.body()
                                    + "; its log tells more");
                case UNKNOWN_TYPE ->
                    new AskReply.Unanswered(
                            Reason.UNKNOWN_TYPE, name + " has no handler of type '" + reply.type() + "'");
                case MESSAGE, QUESTION, REPLY -> new AskReply.Answered(reply.body());
            };
        }
    }
}
