package dev.election.redis.connection;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Asks a provider for credentials where it may take its time. It may read a file or ask a server, and on the thread that carries
 * all connections it would hold up the renewals on the others. In a Cluster the client also asks while it opens the connection to a
 * node for the first request to it, and that request waits.
 */
record PatientCredentials(RedisCredentialsProvider provider) implements RedisCredentialsProvider {

    /** A thread of its own for each time it is asked, which is seldom: those of the application may all be waiting for Redis. */
    private static final Scheduler ELSEWHERE = Schedulers.fromExecutor(question -> {
        Thread thread = new Thread(question, "election-credentials");
        thread.setDaemon(true);
        thread.start();
    });

    static RedisCredentialsProvider of(RedisCredentialsProvider provider) {
        return provider instanceof ImmediateRedisCredentialsProvider ? provider : new PatientCredentials(provider);
    }

    @Override
    public Mono<RedisCredentials> resolveCredentials() {
        return Mono.defer(provider::resolveCredentials).subscribeOn(ELSEWHERE);
    }

    @Override
    public boolean supportsStreaming() {
        return provider.supportsStreaming();
    }

    @Override
    public Flux<RedisCredentials> credentials() {
        return provider.credentials();
    }
}
