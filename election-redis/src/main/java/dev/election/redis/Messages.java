package dev.election.redis;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.store.NodeMessage;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What nodes tell each other over the channel of an election: a word and its values, a line each. */
final class Messages {

    private static final String ABDICATE = "abdicate";
    private static final String RESIGNING = "resigning";
    private static final String PRESENT = "present";

    private Messages() {}

    static String write(NodeMessage message) {
        if (message instanceof NodeMessage.AbdicationRequested asked) {
            Abdication how = asked.how();
            return String.join(
                    "\n",
                    ABDICATE,
                    asked.request(),
                    asked.token().toString(),
                    how.drain() == null ? "" : millis(how.drain()),
                    millis(how.cooldown()),
                    how.successor() == null ? "" : how.successor(),
                    millis(how.reserve()));
        }
        if (message instanceof NodeMessage.AbdicationHeard heard) {
            return String.join("\n", RESIGNING, heard.request(), millis(heard.drain()));
        }
        NodeMessage.Present present = (NodeMessage.Present) message;
        return String.join("\n", PRESENT, present.node(), present.instance(), Boolean.toString(present.isAnswer()));
    }

    /** Empty for anything else. */
    static Optional<StoreEvent> read(String message) {
        String[] part = message.split("\n", -1);
        return switch (part[0]) {
            case ABDICATE -> Optional.of(abdicationRequested(part));
            case RESIGNING -> received(new NodeMessage.AbdicationHeard(part[1], duration(part[2])));
            case PRESENT -> received(new NodeMessage.Present(part[1], part[2], Boolean.parseBoolean(part[3])));
            default -> Optional.empty();
        };
    }

    private static StoreEvent abdicationRequested(String[] part) {
        FencingToken token = new FencingToken(Long.parseLong(part[2]));
        Duration drain = part[3].isEmpty() ? null : duration(part[3]);
        Duration cooldown = duration(part[4]);
        Duration reserve = duration(part[6]);
        Abdication how;
        try {
            how = new Abdication(drain, cooldown, emptyToNull(part[5]), reserve);
        } catch (IllegalArgumentException invalid) {
            return new StoreEvent.Invalid(NodeMessage.AbdicationRequested.class, String.valueOf(invalid.getMessage()));
        }
        return new StoreEvent.Received(new NodeMessage.AbdicationRequested(part[1], token, how));
    }

    private static Optional<StoreEvent> received(NodeMessage message) {
        return Optional.of(new StoreEvent.Received(message));
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }

    private static Duration duration(String millis) {
        return Duration.ofMillis(Long.parseLong(millis));
    }
}
