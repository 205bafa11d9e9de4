package dev.election.redis.internal.requests;

import dev.election.redis.internal.failure.MisplacedReplyException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A script whose reply names the request that it belongs to. If a client, a proxy or a server loses a reply, the next ones would otherwise
 * be taken for replies to the requests before, and a lease granted to another election for one's own.
 *
 * <p>The script is run by its digest, so that its text travels only when the server does not know it (any more), and then once for all
 * requests that wait for it. The first of them is sent again with the text, the others at once by the digest: they arrive behind the text,
 * and in the order in which they were refused. A request is sent again only when the server has said that it did not run it.
 */
public final class LuaScript {

    /** The last argument is the name of the request, which the script itself does not see. An error names none: it grants nothing. */
    private static final String SIGNED =
            """
            local request = table.remove(ARGV)
            local function run()
            %s
            end
            local reply = run()
            if not reply.err then
              reply[#reply + 1] = request
            end
            return reply
            """;

    /** Numbers of requests. The first is random, since a proxy may mix up the replies to several processes. */
    private static final AtomicLong REQUESTS =
            new AtomicLong(ThreadLocalRandom.current().nextLong(1L << 50));

    private final String name;
    private final String text;
    private final boolean isTextFirst;
    private volatile @Nullable String digest;
    private volatile @Nullable Object latestServer;

    /** Servers, each by the connection to it, to which the text is on its way: it arrives before any later request. */
    private final Set<Object> toldNow = ConcurrentHashMap.newKeySet();

    /**
     * Creates a script.
     *
     * @param name for messages
     * @param text as {@code EVAL} takes it
     */
    public LuaScript(String name, String text) {
        this(name, text, false);
    }

    private LuaScript(String name, String text, boolean isTextFirst) {
        this.name = name;
        this.text = SIGNED.formatted(text);
        this.isTextFirst = isTextFirst;
    }

    /**
     * Creates a script whose text goes to each server with the first request: many large requests are sent at once, and each of them would
     * be refused and sent again where the script is not known.
     */
    public static LuaScript withTextFirst(String name, String text) {
        return new LuaScript(name, text, true);
    }

    /** Loads the script of that name from the resources of this module. */
    public static LuaScript load(String name) {
        return new LuaScript(name, source(name));
    }

    /** Name for messages. */
    public String name() {
        return name;
    }

    /** Returns the text of that name among the resources of this module. */
    public static String source(String name) {
        String path = "/META-INF/election/redis/" + name + ".lua";
        try (InputStream in = LuaScript.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("The script " + path + " is missing from the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs the script. Fails with a {@link MisplacedReplyException} if the reply belongs to another request.
     *
     * @param redis a connection
     * @param server which of the servers behind it has these keys
     * @param sent called each time that the script has been sent, before anything else is
     * @param keys its keys
     * @param arguments its arguments
     */
    CompletionStage<List<String>> run(
            RedisClusterAsyncCommands<String, String> redis,
            Object server,
            Runnable sent,
            String[] keys,
            String... arguments) {
        String request = Long.toString(REQUESTS.incrementAndGet(), Character.MAX_RADIX)
                // Copies of a process image have the same counter.
                + "." + Long.toString(System.nanoTime(), Character.MAX_RADIX);
        String[] signed = Arrays.copyOf(arguments, arguments.length + 1);
        signed[arguments.length] = request;
        return send(new Sending(redis, sent, keys, signed), server).thenApply(reply -> own(reply, request));
    }

    private List<String> own(List<String> reply, String request) {
        int last = reply.size() - 1;
        if (last < 0 || !request.equals(reply.get(last))) {
            throw new MisplacedReplyException(name);
        }
        return reply.subList(0, last);
    }

    private CompletionStage<List<String>> send(Sending sending, Object server) {
        if (isTextFirst && !server.equals(latestServer)) {
            latestServer = server;
            return byText(sending, server);
        }
        return ifUnknown(
                byDigest(sending),
                // Replies come in the order of the requests: a text whose reply is due was sent after this request.
                () -> toldNow.contains(server)
                        // The text may be refused, or be on its way to another node that has the keys now.
                        ? ifUnknown(byDigest(sending), () -> byText(sending, server))
                        : byText(sending, server));
    }

    private CompletionStage<List<String>> byDigest(Sending sending) {
        CompletionStage<List<String>> reply =
                sending.redis.evalsha(digest(), ScriptOutputType.MULTI, sending.keys, sending.arguments);
        sending.sent.run();
        return reply;
    }

    /** Sends the text by EVAL, which loads it as well: so the user needs no permission for SCRIPT LOAD. */
    private CompletionStage<List<String>> byText(Sending sending, Object server) {
        toldNow.add(server);
        CompletionStage<List<String>> reply =
                sending.redis.eval(text, ScriptOutputType.MULTI, sending.keys, sending.arguments);
        sending.sent.run();
        return reply.whenComplete((done, failure) -> toldNow.remove(server));
    }

    private static CompletionStage<List<String>> ifUnknown(
            CompletionStage<List<String>> reply, Supplier<CompletionStage<List<String>>> otherwise) {
        return reply.exceptionallyCompose(failure -> {
            if (failure instanceof RedisNoScriptException) {
                return otherwise.get();
            }
            throw new CompletionException(failure);
        });
    }

    /** Computes the digest at the first run: the first one of a process takes some milliseconds, which would delay the start. */
    private String digest() {
        String known = digest;
        if (known == null) {
            known = sha1(text);
            digest = known;
        }
        return known;
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Sending(
            RedisClusterAsyncCommands<String, String> redis, Runnable sent, String[] keys, String[] arguments) {}
}
