package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.local.LocalChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ActiveFirstTest {

    private final ClientResources resources = DefaultClientResources.create();
    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final CompletableFuture<Void> handshake = new CompletableFuture<>();
    private final Channel channel = new LocalChannel();
    private final Target target = new Target();
    private CompletableFuture<Boolean> writableWhenMade = new CompletableFuture<>();

    @BeforeEach
    void begin() throws Exception {
        RedisHandshakeHandler handler =
                new RedisHandshakeHandler(initialized -> handshake, resources, Duration.ofSeconds(20));
        ChannelPipeline pipeline = channel.pipeline().addLast(handler, target);
        loop.register(channel).sync();
        new ConnectTimeout(Duration.ofSeconds(20)).afterChannelInitialized(channel);
        loop.submit(() -> pipeline.fireChannelActive()).sync();
        writableWhenMade =
                handler.channelInitialized().thenApply(made -> target.isActive).toCompletableFuture();
    }

    @AfterEach
    void end() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        resources.shutdown(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void a_handshake_that_ends_on_another_thread_counts_only_once_the_channel_can_be_written_to() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        loop.execute(() -> awaitAtMostTenSeconds(busy));
        Thread other = new Thread(() -> handshake.complete(null));
        other.start();
        // It waits for the thread of the channel, or is through where nothing makes it wait.
        while (other.isAlive() && other.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(writableWhenMade).isNotDone();
        busy.countDown();
        assertThat(writableWhenMade.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(target.thread.get())
                .isSameAs(loop.submit(Thread::currentThread).get());
    }

    @Test
    void a_handshake_that_ends_on_the_thread_of_the_channel_is_over_at_once() throws Exception {
        loop.submit(() -> handshake.complete(null)).sync();
        assertThat(writableWhenMade).isCompletedWithValue(true);
    }

    private static void awaitAtMostTenSeconds(CountDownLatch latch) {
        try {
            latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As the client's own handler, which lets requests through from then on. */
    private static final class Target extends ChannelInboundHandlerAdapter {

        private final CompletableFuture<Thread> thread = new CompletableFuture<>();
        private volatile boolean isActive;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            isActive = true;
            thread.complete(Thread.currentThread());
        }
    }
}
