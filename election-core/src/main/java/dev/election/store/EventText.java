package dev.election.store;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.NodeInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Events as text, for stores that pass them on: a word and its values, a line each. */
public final class EventText {

    private static final String ACQUIRED = "acquired";
    private static final String RELEASED = "released";
    private static final String ROLL_CALL = "roll-call";
    private static final String ABDICATE = "abdicate";
    private static final String RESIGNING = "resigning";
    private static final String RUN = "run";
    private static final String RUN_ANSWER = "run-answer";

    /** The longest text that is read: far longer than any that a node or a store writes. */
    private static final int LONGEST = 4096;

    private EventText() {}

    /** Writes the text of a message from one node to the others. */
    public static String write(NodeMessage message) {
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
                    millis(how.reserve()),
                    how.requestedBy() == null ? "" : how.requestedBy());
        }
        if (message instanceof NodeMessage.RunRequested asked) {
            return String.join("\n", RUN, asked.request(), asked.token().toString(), asked.job(), asked.requestedBy());
        }
        if (message instanceof NodeMessage.RunAnswered answered) {
            return String.join(
                    "\n", RUN_ANSWER, answered.request(), Boolean.toString(answered.hasBegun()), answered.detail());
        }
        NodeMessage.AbdicationHeard heard = (NodeMessage.AbdicationHeard) message;
        return String.join("\n", RESIGNING, heard.request(), millis(heard.drain()));
    }

    /** Writes the text of an event; empty for one that no store passes on, such as the state of its own connection. */
    public static String write(StoreEvent event) {
        if (event instanceof StoreEvent.Acquired acquired) {
            Leader leader = acquired.leader();
            return String.join(
                    "\n",
                    ACQUIRED,
                    leader.token().toString(),
                    Long.toString(leader.since().toEpochMilli()),
                    millis(acquired.remaining()),
                    new NodeInfo(leader.node(), leader.address()).text());
        }
        if (event instanceof StoreEvent.Released released) {
            String successor = released.successor();
            return String.join(
                    "\n",
                    RELEASED,
                    released.token().toString(),
                    millis(released.reserve()),
                    successor == null ? "" : successor);
        }
        if (event instanceof StoreEvent.RollCall call) {
            String incarnation = call.incarnation();
            return String.join(
                    "\n", ROLL_CALL, Long.toString(call.at().toEpochMilli()), incarnation == null ? "" : incarnation);
        }
        return event instanceof StoreEvent.Received received ? write(received.message()) : "";
    }

    /** Reads the text of an event; empty for any other text, since a channel may carry anything. */
    public static Optional<StoreEvent> read(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(event(text));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException notOurs) {
            return Optional.empty();
        }
    }

    private static @Nullable StoreEvent event(String text) {
        String[] part = text.split("\n", -1);
        return switch (part[0]) {
            case ACQUIRED -> acquired(text.split("\n", 5));
            case RELEASED -> new StoreEvent.Released(token(part[1]), emptyToNull(part[3]), duration(part[2]));
            case ROLL_CALL -> rollCall(part);
            case ABDICATE -> abdicationRequested(part);
            case RESIGNING -> received(new NodeMessage.AbdicationHeard(part[1], duration(part[2])));
            case RUN -> received(new NodeMessage.RunRequested(part[1], token(part[2]), part[3], part[4]));
            case RUN_ANSWER -> received(new NodeMessage.RunAnswered(part[1], Boolean.parseBoolean(part[2]), part[3]));
            default -> null;
        };
    }

    /** Reads a roll call. Without readable values it still is one. */
    private static StoreEvent rollCall(String[] part) {
        return part.length == 3 && part[1].matches("\\d{1,15}")
                ? new StoreEvent.RollCall(emptyToNull(part[2]), Instant.ofEpochMilli(Long.parseLong(part[1])))
                : new StoreEvent.RollCall();
    }

    private static StoreEvent acquired(String[] part) {
        NodeInfo node = NodeInfo.parse(part[4]);
        Instant since = Instant.ofEpochMilli(Long.parseLong(part[2]));
        return new StoreEvent.Acquired(new Leader(node.id(), node.address(), token(part[1]), since), duration(part[3]));
    }

    private static StoreEvent abdicationRequested(String[] part) {
        FencingToken token = token(part[2]);
        Duration drain = part[3].isEmpty() ? null : duration(part[3]);
        Duration cooldown = duration(part[4]);
        Duration reserve = duration(part[6]);
        Abdication how;
        try {
            // Earlier versions do not say who asked.
            String requestedBy = part.length > 7 ? part[7] : null;
            how = new Abdication(drain, cooldown, emptyToNull(part[5]), reserve, requestedBy);
        } catch (IllegalArgumentException invalid) {
            return new StoreEvent.Invalid(NodeMessage.AbdicationRequested.class, String.valueOf(invalid.getMessage()));
        }
        return received(new NodeMessage.AbdicationRequested(part[1], token, how));
    }

    private static StoreEvent received(NodeMessage message) {
        return new StoreEvent.Received(message);
    }

    private static FencingToken token(String number) {
        return new FencingToken(Long.parseLong(number));
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
