package dev.election.routing.internal.decision;

import dev.election.routing.RoutingMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** Responses of a node that does not lead, in place of the leader's. */
public final class Answers {

    /** The client library of the JDK asks for it with each request, and goes on without it. */
    private static final String HTTP_2 = "h2c";

    private static final Problem.Retry LATER = new Problem.Retry.Later(Duration.ofSeconds(1));

    private Answers() {}

    /**
     * The answer to a request.
     *
     * @param mode of its route
     * @param leader who leads
     * @param upgrade the header {@code Upgrade}, {@code null} if there is none
     * @param path below the public URI of the leader, still encoded
     * @param query still encoded, {@code null} if there is none
     * @return empty if the request is forwarded
     */
    public static Optional<Problem> answer(
            RoutingMode mode,
            RoutingDecision.OnLeader leader,
            @Nullable String upgrade,
            String path,
            @Nullable String query) {
        return switch (mode) {
            case REFUSE ->
                Optional.of(problem(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "refused",
                        "Only the leader of the election serves this request, and this node is not the leader",
                        leader,
                        LATER));
            case REDIRECT -> Optional.of(redirect(leader, path, query));
            case FORWARD ->
                upgrade == null || upgrade.equalsIgnoreCase(HTTP_2) ? Optional.empty() : Optional.of(tunnel(leader));
        };
    }

    /** The answer to a request after which its connection would speak another protocol. */
    public static Problem tunnel(RoutingDecision.OnLeader leader) {
        return problem(
                HttpStatus.NOT_IMPLEMENTED,
                "upgrade",
                "A request with the header Upgrade, or with the method CONNECT, can't be forwarded to the leader. Connect to"
                        + " the leader itself",
                leader,
                null);
    }

    private static Problem redirect(RoutingDecision.OnLeader leader, String path, @Nullable String query) {
        URI target = leader.publicUri();
        if (target == null) {
            return problem(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "unreachable",
                    "The leader says no address to which clients can be redirected (election.node.public-uri)",
                    leader,
                    LATER);
        }
        try {
            return problem(
                    HttpStatus.TEMPORARY_REDIRECT,
                    "redirected",
                    "Only the leader of the election serves this request",
                    leader,
                    new Problem.Retry.Elsewhere(MemberUris.resolve(target, path, query)));
        } catch (URISyntaxException unusable) {
            return invalidPath(leader);
        }
    }

    /** The answer to a request whose body something has read before it could be forwarded. */
    public static Problem bodyIsGone(RoutingDecision.OnLeader leader) {
        return problem(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "body-read",
                "The request can't be forwarded to the leader: a filter has read its body before. Order that filter behind"
                        + " the one of election-routing, or let it leave the bodies of these requests unread (a CSRF token is"
                        + " looked for in a multipart body unless it is in a header)",
                leader,
                null);
    }

    /** The answer to a request whose response had not begun when the leadership under which it ran ended. */
    public static Problem leadershipLost(String election) {
        return new Problem(
                HttpStatus.BAD_GATEWAY,
                RoutingObserver.FAILED,
                "This node has lost leadership before the response began. The request may have been carried out",
                election,
                null,
                null);
    }

    /** The answer to a request whose path or query can't be part of a URI. */
    public static Problem invalidPath(RoutingDecision.OnLeader leader) {
        return problem(HttpStatus.BAD_REQUEST, "invalid", "The path or the query is not valid in a URI", leader, null);
    }

    private static Problem problem(
            HttpStatus status,
            String outcome,
            String detail,
            RoutingDecision.OnLeader leader,
            Problem.@Nullable Retry retry) {
        return new Problem(status, outcome, detail, leader.election(), leader.node(), retry);
    }
}
