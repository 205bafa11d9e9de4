package dev.election.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The links by which the members of a {@link SentinelGroup} reach each other: some can be cut off from others, and not from clients. */
public final class GroupLinks {

    /** From where the servers connect, and from where each Sentinel does, so that a link can tell them from each other and from clients. */
    private static final String SERVERS_ADDRESS = "127.0.0.2";

    private static final List<String> SENTINEL_ADDRESSES = List.of("127.0.0.3", "127.0.0.4", "127.0.0.5");

    /** Links to the servers, which all connect through. */
    private final Map<RedisProcess, Link> toServers = new LinkedHashMap<>();

    /** Links between the Sentinels. */
    private final List<Link> toSentinels = new ArrayList<>();

    GroupLinks() {}

    /** Neither its replica nor the Sentinels reach that server any more. */
    public void isolate(RedisProcess server) {
        SENTINEL_ADDRESSES.forEach(sentinel -> linkTo(server).becomeFor(sentinel, Conditions.CUT));
        silenceReplica(server);
    }

    /** The first Sentinel stays with that server, and both lose the others. */
    public void isolateWithFirstSentinel(RedisProcess server) {
        isolate(server);
        String first = SENTINEL_ADDRESSES.get(0);
        toServers.forEach((each, link) -> link.becomeFor(first, each == server ? Conditions.FINE : Conditions.CUT));
        for (int i = 1; i < toSentinels.size(); i++) {
            toSentinels.get(0).becomeFor(SENTINEL_ADDRESSES.get(i), Conditions.CUT);
            toSentinels.get(i).becomeFor(first, Conditions.CUT);
        }
    }

    /** Nothing passes between that server and its replica any more, and neither sees an end. */
    public void silenceReplica(RedisProcess server) {
        linkTo(server).becomeFor(SERVERS_ADDRESS, Conditions.CUT);
    }

    /** Everybody reaches everybody again. */
    public void rejoin() {
        List<String> addresses = Stream.concat(Stream.of(SERVERS_ADDRESS), SENTINEL_ADDRESSES.stream())
                .toList();
        Stream.concat(toServers.values().stream(), toSentinels.stream())
                .forEach(link -> addresses.forEach(address -> link.becomeFor(address, Conditions.FINE)));
    }

    Link linkTo(RedisProcess server) {
        Link link = toServers.get(server);
        if (link == null) {
            throw new IllegalArgumentException("No link leads to the server at port " + server.port());
        }
        return link;
    }

    /** Starts a server that everybody will know by its link. */
    RedisProcess startServer(RedisSettings settings) throws IOException {
        RedisProcess server = new RedisProcess(settings.with("--bind-source-addr", SERVERS_ADDRESS));
        Link link = new Link(server.port());
        toServers.put(server, link);
        server.ask("CONFIG", "SET", "replica-announce-ip", "127.0.0.1");
        server.ask("CONFIG", "SET", "replica-announce-port", Integer.toString(link.port()));
        return server;
    }

    /** A link by which the others will know the next Sentinel. */
    Link addSentinel(RedisSettings settings) {
        Link link = new Link(settings.port());
        toSentinels.add(link);
        return link;
    }

    /** From where the Sentinel connects that was added last. */
    String addressOfLastSentinel() {
        return SENTINEL_ADDRESSES.get(toSentinels.size() - 1);
    }
}
