package dev.election.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A script by its digest, so that its text travels only when the server does not know it (any more). */
final class LuaScript {

    private final String text;
    private volatile @Nullable String digest;

    LuaScript(String text) {
        this.text = text;
    }

    static LuaScript load(String name) {
        return new LuaScript(source(name));
    }

    static String source(String name) {
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

    CompletionStage<List<String>> run(
            RedisClusterAsyncCommands<String, String> redis, String[] keys, String... arguments) {
        CompletionStage<List<String>> known = redis.evalsha(digest(), ScriptOutputType.MULTI, keys, arguments);
        return known.exceptionallyCompose(failure -> {
            if (failure instanceof RedisNoScriptException) {
                return redis.<List<String>>eval(text, ScriptOutputType.MULTI, keys, arguments);
            }
            throw new CompletionException(failure);
        });
    }

    /** Made at the first run: the first digest of a process takes some milliseconds, of which the start need not know. */
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
}
