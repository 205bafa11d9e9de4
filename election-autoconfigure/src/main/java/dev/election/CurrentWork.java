package dev.election;

import org.jspecify.annotations.Nullable;

/** Which leader work a thread does. */
final class CurrentWork {

    private static final ThreadLocal<FencingToken> TOKEN = new ThreadLocal<>();

    private CurrentWork() {}

    static @Nullable FencingToken token() {
        return TOKEN.get();
    }

    static void set(@Nullable FencingToken token) {
        if (token == null) {
            TOKEN.remove();
        } else {
            TOKEN.set(token);
        }
    }
}
