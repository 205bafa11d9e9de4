package dev.election.internal.messages;

import dev.election.members.AskReply;
import dev.election.members.AskReply.Reason;
import dev.election.members.Member;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The open questions of this process. Thread-safe. */
final class Questions {

    private final Map<String, Question> open = new ConcurrentHashMap<>();

    /** Adds a question that is about to be sent to that member. It is open until its answer is completed. */
    CompletableFuture<AskReply> add(String id, Member asked) {
        CompletableFuture<AskReply> answer = new CompletableFuture<>();
        open.put(id, new Question(asked, answer));
        CompletionStage<?> unused = answer.thenRun(() -> open.remove(id));
        return answer;
    }

    /** Takes a reply. Returns false if it has no open question, or if another member was asked. */
    boolean take(WireMessage reply) {
        Question question = open.get(reply.id());
        return question != null
                && question.asked.instance().equals(reply.from())
                && question.answer.complete(question.read(reply));
    }

    /** Ends all questions: this process is no member any more, so no reply arrives. */
    void abandonAll() {
        List.copyOf(open.values())
                .forEach(question -> question.answer.complete(
                        new AskReply.Unanswered(Reason.STORE_UNAVAILABLE, "This process has stopped its elections")));
    }

    private record Question(Member asked, CompletableFuture<AskReply> answer) {

        private AskReply read(WireMessage reply) {
            return switch (reply.kind()) {
                case FAILURE ->
                    new AskReply.Unanswered(
                            Reason.HANDLER_FAILED,
                            "The handler of " + asked.id() + " for '" + reply.type() + "' failed: " + reply.body()
                                    + "; its log tells more");
                case UNKNOWN_TYPE ->
                    new AskReply.Unanswered(
                            Reason.UNKNOWN_TYPE, asked.id() + " has no handler of type '" + reply.type() + "'");
                case MESSAGE, QUESTION, REPLY -> new AskReply.Answered(reply.body());
            };
        }
    }
}
