package dev.election.internal.protocol;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.StoreView;
import dev.election.Timing;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Held;
import dev.election.store.NoAnswer;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import dev.election.store.StoreTraits;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one node, named {@code me}, decides on inputs that are given line by line. Each line names a time in ms, on the clocks of the node and of
 * the store alike, and an input with its details, such as {@code 8 renewed until=20008}. Replies answer the latest request of their kind.
 */
final class Transcript {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final Protocol protocol = new Protocol(
            new Self("reports", new NodeInfo("me", "me:80"), "me"),
            ProtocolTimings.of(Timing.ofLease(LEASE), StoreTraits.ofServer("The store", "store.prefix")));

    private final Map<Class<? extends Effect>, Attempt> latest = new HashMap<>();
    private State state = Protocol.initial();

    /** Takes the input of a line, and says what came of it: the effects, the state, and when the node wakes next. */
    List<String> take(String line) {
        String[] words = line.split(" ");
        Details details = Details.of(List.of(words).subList(2, words.length));
        long now = Duration.ofMillis(Long.parseLong(words[0])).toNanos();
        Step step = protocol.step(
                state, input(words[1], details), new Now(now, Instant.ofEpochMilli(Long.parseLong(words[0]))));
        state = step.state();
        List<String> outcome = new ArrayList<>();
        for (Effect effect : step.effects()) {
            outcome.add(effect(effect));
        }
        OptionalLong wakeAt = protocol.wakeAt(state);
        outcome.add("is " + state(state) + (wakeAt.isPresent() ? ", wakes at " + ms(wakeAt.getAsLong()) : ""));
        return outcome;
    }

    private Input input(String name, Details with) {
        return switch (name) {
            case "start" -> new Input.Start();
            case "observe" -> new Input.Observe();
            case "stop" -> new Input.Stop();
            case "wake" -> new Input.Wake();
            case "drained" -> new Input.Drained();
            case "recovers" -> new Input.Occupied(true);
            case "recovery-returned" -> new Input.Occupied(false);
            case "abdicate" ->
                new Input.Abdicate(with.has("to") ? Abdication.to(with.text("to")) : Abdication.toAnyone());
            case "granted" ->
                campaigned(new CampaignReply.Granted(with.token(), Instant.EPOCH, with.time("until"), "server"));
            case "held" -> campaigned(held(with));
            case "wait" -> campaigned(new CampaignReply.Wait(with.length("for"), with.number("rank")));
            case "unanswered-campaign" -> campaigned(noAnswer());
            case "renewed" -> renewed(new RenewReply.Renewed(with.time("until")));
            case "lost" -> renewed(new RenewReply.Lost(with.has("by") ? held(with) : null));
            case "unanswered-renewal" -> renewed(noAnswer());
            case "released" -> new Input.Released(attempt(Effect.Release.class), new ReleaseReply.Released());
            case "looked" -> new Input.Looked(attempt(Effect.Look.class), read(with));
            case "hears-connected" -> new Input.Heard(new StoreEvent.Connected());
            case "hears-acquired" -> new Input.Heard(new StoreEvent.Acquired(leader(with), with.length("for")));
            case "hears-released" ->
                new Input.Heard(new StoreEvent.Released(
                        with.token(), with.has("to") ? with.text("to") : null, with.length("for")));
            case "hears-roll-call" -> new Input.Heard(new StoreEvent.RollCall("server", with.time("at")));
            default -> throw new IllegalArgumentException("No input is named " + name);
        };
    }

    private Input campaigned(CampaignReply reply) {
        return new Input.Campaigned(attempt(Effect.Campaign.class), reply);
    }

    private Input renewed(RenewReply reply) {
        return new Input.Renewed(attempt(Effect.Renew.class), reply);
    }

    private Attempt attempt(Class<? extends Effect> kind) {
        Attempt attempt = latest.get(kind);
        if (attempt == null) {
            throw new IllegalStateException("Nothing has been sent that could be answered");
        }
        return attempt;
    }

    private static ReadReply read(Details with) {
        Duration remaining = with.has("for") ? with.length("for") : Duration.ZERO;
        return new ReadReply.Read(new StoreView(
                Instant.EPOCH, with.has("by") ? Optional.of(leader(with)) : Optional.empty(), remaining, List.of()));
    }

    private static Held held(Details with) {
        return new Held(leader(with), with.length("for"), with.number("rank"));
    }

    private static Leader leader(Details with) {
        return new Leader(with.text("by"), with.text("by") + ":80", with.token(), Instant.EPOCH);
    }

    private static NoAnswer noAnswer() {
        return new NoAnswer(StoreProblem.TIMED_OUT, "no answer");
    }

    private String effect(Effect effect) {
        if (effect instanceof Effect.Campaign campaign) {
            latest.put(Effect.Campaign.class, campaign.attempt());
            return "sends campaign " + campaign.attempt().number() + " of " + campaign(campaign.request());
        }
        if (effect instanceof Effect.Renew renew) {
            latest.put(Effect.Renew.class, renew.attempt());
            return "sends renewal " + renew.attempt().number() + " of "
                    + renew.request().candidate().candidacy() + " under "
                    + renew.request().token() + ", good until "
                    + renew.request().expiry().toEpochMilli();
        }
        if (effect instanceof Effect.Look look) {
            latest.put(Effect.Look.class, look.attempt());
            return "asks who leads, attempt " + look.attempt().number();
        }
        if (effect instanceof Effect.Release release) {
            if (release.attempt() != null) {
                latest.put(Effect.Release.class, release.attempt());
            }
            return "sends release of " + release(release.request());
        }
        if (effect instanceof Effect.Announce announce) {
            if (announce.event() instanceof LeadershipEvent.ElectionStarted started) {
                boolean isNow = started.since().equals(started.at());
                return "announces ElectionStarted["
                        + (isNow ? "" : "since=" + started.since().toEpochMilli()) + "]";
            }
            return "announces "
                    + announce.event()
                            .toString()
                            .replaceAll("election=reports, at=[^,\\]]*(, )?", "")
                            .replace(", requestedBy=null", "");
        }
        return effect.toString();
    }

    private static String campaign(CampaignRequest request) {
        Duration settle = request.settle();
        return request.candidate().candidacy() + ", has seen " + request.seen() + ", settle time "
                + (settle == null ? "not yet" : ms(settle.toNanos()));
    }

    private static String release(ReleaseRequest request) {
        ReleaseRequest.Grant grant = request.grant();
        return request.candidate().candidacy()
                + (grant == null ? ", never granted" : " under " + grant.token())
                + (request.successor() == null
                        ? ""
                        : ", to " + request.successor() + " for "
                                + ms(request.reserve().toNanos()))
                + ", " + request.reason();
    }

    private static String state(State state) {
        Knowledge knowledge = state.knowledge();
        String knows = ", knows of "
                + (knowledge.leader() == null ? "nobody" : knowledge.leader().node()) + ", has seen "
                + knowledge.seen();
        if (state instanceof State.Following following) {
            return "following" + knows + ", rank "
                    + (knowledge.rank().isEmpty() ? "unknown" : knowledge.rank().getAsInt())
                    + (following.campaign() == null
                            ? ""
                            : ", awaits campaign " + following.campaign().number());
        }
        if (state instanceof State.Leading leading) {
            return "leading" + lease(leading.heldLease());
        }
        if (state instanceof State.Draining draining) {
            return "draining" + lease(draining.heldLease());
        }
        return state.getClass().getSimpleName().toLowerCase(Locale.ROOT) + knows;
    }

    private static String lease(HeldLease lease) {
        return " under " + lease.token() + " until " + ms(lease.deadline())
                + (lease.renewal() == null
                        ? ""
                        : ", awaits renewal " + lease.renewal().number())
                + (lease.called() ? " and renews again" : "")
                + (lease.atRisk() ? ", at risk" : "");
    }

    private static String ms(long nanos) {
        return BigDecimal.valueOf(nanos, 6).stripTrailingZeros().toPlainString();
    }

    /** The {@code name=value} words of a line. */
    private record Details(Map<String, String> all) {

        static Details of(List<String> words) {
            Map<String, String> all = new TreeMap<>();
            words.forEach(word -> all.put(word.split("=")[0], word.split("=")[1]));
            return new Details(all);
        }

        boolean has(String name) {
            return all.containsKey(name);
        }

        String text(String name) {
            @Nullable String value = all.get(name);
            if (value == null) {
                throw new IllegalArgumentException(name + "=... is missing");
            }
            return value;
        }

        int number(String name) {
            return Integer.parseInt(text(name));
        }

        Duration length(String name) {
            return Duration.ofMillis(number(name));
        }

        Instant time(String name) {
            return Instant.ofEpochMilli(number(name));
        }

        FencingToken token() {
            return new FencingToken(number("token"));
        }
    }
}
