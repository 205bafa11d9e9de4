package dev.election.fencing.redis;

import dev.election.FencingToken;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.script.RedisScript;

/** A script that begins with the check of a token: the last key says where the newest one is kept, the last argument is that of the caller. */
final class FencedScript {

    private static final String CODE = "STALETOKEN";

    /** On one line, so that the lines of the script keep their numbers in messages. */
    private static final String CHECK = "do local fence, token = table.remove(KEYS), table.remove(ARGV) "
            + "local newest = redis.call('GET', fence) "
            + "if newest and tonumber(newest) > tonumber(token) then return redis.error_reply('" + CODE
            + " ' .. newest) end "
            + "if newest ~= token then redis.call('SET', fence, token) end end ";

    private FencedScript() {}

    /** Puts the check of the token before a script. */
    static <T> RedisScript<T> of(RedisScript<T> script) {
        String text = text(script.getScriptAsString());
        Class<T> type = script.getResultType();
        return type == null ? untyped(text) : RedisScript.of(text, type);
    }

    /** The first line of a script may say in what it is written. */
    static String text(String script) {
        int afterShebang = script.startsWith("#!") ? script.indexOf('\n') + 1 : 0;
        return script.substring(0, afterShebang) + CHECK + script.substring(afterShebang);
    }

    /** The newer token, {@code null} if it failed for another reason. */
    static @Nullable FencingToken newerToken(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && message.startsWith(CODE + " ")) {
                return new FencingToken(
                        Long.parseLong(message.substring(CODE.length() + 1).strip()));
            }
        }
        return null;
    }

    @SuppressWarnings("unchecked")
    private static <T> RedisScript<T> untyped(String text) {
        return (RedisScript<T>) RedisScript.of(text);
    }
}
