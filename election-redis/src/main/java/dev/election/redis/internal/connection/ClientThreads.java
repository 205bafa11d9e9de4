package dev.election.redis.internal.connection;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a Redis client of our own: few, and none that keeps the process alive. One carries all connections, so that no
 * other has to be woken between the news of a release and the request that follows from it.
 */
public final class ClientThreads implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ClientThreads.class);

    private final EventLoopGroupProvider loops = new LastingLoops();
    private final ClientResources resources;

    public ClientThreads(NettyCustomizer channels) {
        resources = DefaultClientResources.builder()
                .eventLoopGroupProvider(loops)
                .computationThreadPoolSize(2)
                .nettyCustomizer(channels)
                .build();
    }

    public ClientResources resources() {
        return resources;
    }

    /** Waits a while for the threads to end: last for the one that carries the connections, since the others use it. */
    @Override
    public void close() {
        await(resources.shutdown(0, 1, TimeUnit.SECONDS));
        // The client does not end a provider that was handed to it.
        await(loops.shutdown(0, 1, TimeUnit.SECONDS));
    }

    /** Waits also when interrupted: the threads that end next are used by these. */
    private static void await(Future<Boolean> end) {
        if (!end.awaitUninterruptibly(2, TimeUnit.SECONDS)) {
            log.debug("The threads of the Redis client end later");
        }
    }

    /**
     * Event loops that outlast the client: it would end them while the other threads still open connections to members of a Cluster, and an
     * error would be logged.
     */
    private static final class LastingLoops extends DefaultEventLoopGroupProvider {

        private LastingLoops() {
            super(1);
        }

        @Override
        public Promise<Boolean> release(EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
            return new DefaultPromise<Boolean>(ImmediateEventExecutor.INSTANCE).setSuccess(true);
        }
    }
}
