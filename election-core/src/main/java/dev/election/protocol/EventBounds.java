package dev.election.protocol;

import dev.election.Abdication;
import dev.election.AbdicationRequest;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.store.CampaignReply;
import dev.election.store.NodeMessage;
import dev.election.store.ReadReply;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import dev.election.text.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an event may say. Whoever may publish for an election can send any content, so an event that says what no node and no store
 * says is ignored: a token that nobody can have been granted yet would be written to the store and never be exceeded.
 *
 * <p>Replies of the store are trusted. What events said does not count as known here, so that a series of them can't move the bound.
 *
 * @param lease the longest remaining time of a lease
 * @param ahead how far a token may be ahead of what is known
 * @param answered the highest token and the latest time, in milliseconds, that the store has answered; 0 before
 */
public record EventBounds(Duration lease, Duration ahead, long answered) {

    private static final Duration DAY = Duration.ofDays(1);

    private static final int LONGEST_ADDRESS = 1024;

    public static EventBounds of(Duration lease) {
        return new EventBounds(lease, DAY, 0);
    }

    /** The bounds of a node that knows what the store has answered. */
    public EventBounds after(Input input) {
        boolean isAnswer =
                input instanceof Input.Campaigned || input instanceof Input.Renewed || input instanceof Input.Looked;
        long known = isAnswer ? Math.max(input.highestToken(), timeOf(input)) : 0;
        return known > answered ? new EventBounds(lease, ahead, known) : this;
    }

    /** Why the event is to be ignored, {@code null} if it is not. Repeats no text of the event, which may be meant for the log. */
    @Nullable
    public String objection(StoreEvent event, Instant wall) {
        if (event instanceof StoreEvent.Acquired acquired) {
            return first(
                    token(acquired.leader().token(), wall),
                    time("since", acquired.leader().since().toEpochMilli(), latest(wall)),
                    duration("remaining time", acquired.remaining(), lease),
                    id("node", acquired.leader().node()),
                    address(acquired.leader().address()));
        }
        if (event instanceof StoreEvent.Released released) {
            // The store may keep the lease for a successor for longer than followers believe without asking.
            return first(
                    token(released.token(), wall),
                    released.reserve().isNegative() ? "its reserve is negative" : null,
                    released.successor() == null ? null : id("successor", released.successor()));
        }
        if (event instanceof StoreEvent.Received received) {
            return objection(received.message(), wall);
        }
        return event instanceof StoreEvent.Invalid invalid ? invalid.objection() : null;
    }

    private @Nullable String objection(NodeMessage message, Instant wall) {
        if (message instanceof NodeMessage.AbdicationRequested asked) {
            return first(token(asked.token(), wall), id("request", asked.request()), abdication(asked.how()));
        }
        NodeMessage.AbdicationHeard heard = (NodeMessage.AbdicationHeard) message;
        return first(id("request", heard.request()), duration("drain", heard.drain(), AbdicationRequest.LONGEST_DRAIN));
    }

    private static @Nullable String abdication(Abdication how) {
        return first(
                how.drain() == null ? null : duration("drain", how.drain(), AbdicationRequest.LONGEST_DRAIN),
                duration("cooldown", how.cooldown(), AbdicationRequest.LONGEST_COOLDOWN),
                duration("reserve", how.reserve(), AbdicationRequest.LONGEST_RESERVE),
                how.successor() == null ? null : id("successor", how.successor()));
    }

    private long timeOf(Input input) {
        if (input instanceof Input.Campaigned campaigned
                && campaigned.reply() instanceof CampaignReply.Granted granted) {
            return granted.expiry().minus(lease).toEpochMilli();
        }
        if (input instanceof Input.Renewed answer && answer.reply() instanceof RenewReply.Renewed renewed) {
            return renewed.expiry().minus(lease).toEpochMilli();
        }
        return input instanceof Input.Looked looked && looked.reply() instanceof ReadReply.Read read
                ? read.view().readAt().toEpochMilli()
                : 0;
    }

    /** A token is at least the store's time at its grant, and one more than its predecessor. */
    private long latest(Instant wall) {
        return Math.max(answered, wall.toEpochMilli()) + ahead.toMillis();
    }

    private @Nullable String token(FencingToken token, Instant wall) {
        return token.value() > latest(wall)
                ? "its token " + token + " is more than " + ReadableDuration.of(ahead)
                        + " ahead of all known tokens and clocks"
                : null;
    }

    private static @Nullable String time(String what, long millis, long latest) {
        return millis < 0 || millis > latest ? "its '" + what + "' is not a valid time of a grant: " + millis : null;
    }

    private static @Nullable String duration(String what, Duration time, Duration longest) {
        return time.isNegative() || time.compareTo(longest) > 0
                ? "its " + what + " must lie between zero and " + ReadableDuration.of(longest) + ", but is "
                        + ReadableDuration.of(time)
                : null;
    }

    private static @Nullable String id(String what, String text) {
        return Leader.isNodeId(text) ? null : "its '" + what + "' is not a valid id";
    }

    private static @Nullable String address(String text) {
        return text.length() > LONGEST_ADDRESS || text.chars().anyMatch(Character::isISOControl)
                ? "its address is too long or contains control characters"
                : null;
    }

    private static @Nullable String first(@Nullable String... objections) {
        for (String objection : objections) {
            if (objection != null) {
                return objection;
            }
        }
        return null;
    }
}
