package dev.election.redis.internal.connection;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Asks a provider for credentials on a thread that it may block. It may read a file or ask a server, and on the thread that carries all
 * connections it would hold up the renewals on the others. In a Cluster the client also asks while it opens the connection to a node for
 * the first request to it, and that request waits. The wait for an answer is limited, and a provider is not asked again before it has
 * answered, so that it blocks one thread at most.
 */
public final class NonBlockingCredentials implements RedisCredentialsProvider {

    /** Longest wait for an answer, as long as a connection may take to be made at most. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final RedisCredentialsProvider provider;
    private final CredentialThreads threads;
    private final Duration longest;

    /** The question that was not answered yet. Guarded by this. */
    private @Nullable Mono<RedisCredentials> pending;

    /**
     * @param threads where it is asked
     * @param longest how long an answer is waited for
     */
    NonBlockingCredentials(RedisCredentialsProvider provider, CredentialThreads threads, Duration longest) {
        this.provider = provider;
        this.threads = threads;
        this.longest = longest;
    }

    public static RedisCredentialsProvider of(RedisCredentialsProvider provider, CredentialThreads threads) {
        return provider instanceof ImmediateRedisCredentialsProvider
                ? provider
                : new NonBlockingCredentials(provider, threads, LONGEST);
    }

    @Override
    public Mono<RedisCredentials> resolveCredentials() {
        return Mono.defer(this::question).timeout(longest).map(answer -> new Lent(answer, threads));
    }

    @Override
    public boolean supportsStreaming() {
        return provider.supportsStreaming();
    }

    @Override
    public Flux<RedisCredentials> credentials() {
        return provider.credentials();
    }

    private synchronized Mono<RedisCredentials> question() {
        threads.requireOpen();
        Mono<RedisCredentials> asked = pending;
        if (asked == null) {
            asked = Mono.defer(provider::resolveCredentials)
                    .subscribeOn(threads.scheduler())
                    // Before the caller gets the answer, so that its next call asks anew.
                    .doOnTerminate(this::answered)
                    .cache();
            pending = asked;
        }
        return asked;
    }

    private synchronized void answered() {
        pending = null;
    }

    /**
     * Credentials that can't be read once the store is closed. The client goes on with the handshake on another thread, which may begin
     * after the one that carries the connections has ended, and an error would be logged.
     */
    private record Lent(RedisCredentials answer, CredentialThreads threads) implements RedisCredentials {

        @Override
        public @Nullable String getUsername() {
            return whileOpen(answer.getUsername());
        }

        @Override
        public boolean hasUsername() {
            return whileOpen(answer.hasUsername());
        }

        @Override
        public char @Nullable [] getPassword() {
            return whileOpen(answer.getPassword());
        }

        @Override
        public boolean hasPassword() {
            return whileOpen(answer.hasPassword());
        }

        private <T extends @Nullable Object> T whileOpen(T value) {
            threads.requireOpen();
            return value;
        }
    }
}
