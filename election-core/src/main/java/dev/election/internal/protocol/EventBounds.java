package dev.election.internal.protocol;

import dev.election.Abdication;
import dev.election.AbdicationRequest;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.store.CampaignReply;
import dev.election.store.Held;
import dev.election.store.NodeMessage;
import dev.election.store.ReadReply;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of the values in an event. A client that may publish for an election can send any content, so an event with values that no node and no store
 * sends is ignored. Otherwise a token that cannot have been granted yet would be written to the store and never be exceeded.
 *
 * <p>Replies of the store are trusted. A token above the highest one of them is bounded by clocks alone: an event may raise the token of the next
 * grant, so a series of events could move a bound that moves with tokens.
 *
 * @param lease the longest remaining time of a lease
 * @param ahead how far a token may be ahead of the clocks of the store and of this node
 * @param time the latest time, in milliseconds, that the store has answered; 0 before
 * @param token the highest token that the store has answered; 0 before
 */
public record EventBounds(Duration lease, Duration ahead, long time, long token) {

    /** The default of {@link #ahead}: the largest error of a clock. */
    public static final Duration AHEAD = Duration.ofDays(1);

    private static final int LONGEST_ADDRESS = 1024;

    /** Returns the bounds of a node before the first answer of the store. */
    public static EventBounds of(Duration lease, Duration ahead) {
        return new EventBounds(lease, ahead, 0, 0);
    }

    /** Returns the bounds after an input, which an answer of the store may raise. */
    public EventBounds after(Input input) {
        boolean isAnswer =
                input instanceof Input.Campaigned || input instanceof Input.Renewed || input instanceof Input.Looked;
        if (!isAnswer) {
            return this;
        }
        long later = Math.max(time, timeOf(input));
        long higher = Math.max(token, input.highestToken());
        return later == time && higher == token ? this : new EventBounds(lease, ahead, later, higher);
    }

    /** Returns the reason to ignore an event, {@code null} if there is none. Repeats no text of the event, which could forge lines of the log. */
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
        if (message instanceof NodeMessage.RunRequested asked) {
            return first(token(asked.token(), wall), id("request", asked.request()));
        }
        if (message instanceof NodeMessage.RunAnswered answered) {
            return id("request", answered.request());
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
        if (input instanceof Input.Campaigned campaigned) {
            return campaigned.reply() instanceof CampaignReply.Granted granted
                    ? granted.expiry().minus(lease).toEpochMilli()
                    : timeOf(campaigned.reply() instanceof Held held ? held : null);
        }
        if (input instanceof Input.Renewed answer) {
            return answer.reply() instanceof RenewReply.Renewed renewed
                    ? renewed.expiry().minus(lease).toEpochMilli()
                    : timeOf(answer.reply() instanceof RenewReply.Lost lost ? lost.holder() : null);
        }
        return input instanceof Input.Looked looked && looked.reply() instanceof ReadReply.Read read
                ? read.view().readAt().toEpochMilli()
                : 0;
    }

    /** Returns when the holder was granted its lease, 0 if there is none. */
    private static long timeOf(@Nullable Held held) {
        return held == null ? 0 : held.leader().since().toEpochMilli();
    }

    /** Returns the latest time of a grant. A token is that time by the store's clock, unless that clock was set back. */
    private long latest(Instant wall) {
        return Math.max(time, wall.toEpochMilli()) + ahead.toMillis();
    }

    private @Nullable String token(FencingToken said, Instant wall) {
        return said.value() > Math.max(token, latest(wall))
                ? "its token " + said + " is more than " + ReadableDuration.of(ahead)
                        + " ahead of the clocks of this host and of the store (setting tokens-ahead)"
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
