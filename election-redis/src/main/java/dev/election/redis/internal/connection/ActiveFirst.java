package dev.election.redis.internal.connection;

import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Reports a connection as made only once it can be written to. If credentials come from another thread, the client may finish the handshake
 * there and not on the thread of the channel: it then reports the connection before the channel is active, and rejects the first request
 * ("Currently not connected").
 */
final class ActiveFirst extends ChannelInboundHandlerAdapter {

    private static final long TIMEOUT = TimeUnit.SECONDS.toMillis(10);

    private ActiveFirst() {}

    /** Adds the handler with an executor of its own: only so is it notified on the very thread that ends the handshake. */
    @SuppressWarnings("deprecation")
    static void addTo(Channel channel, RedisHandshakeHandler handshake) {
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addAfter(
                ImmediateEventExecutor.INSTANCE, pipeline.context(handshake).name(), null, new ActiveFirst());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (context.channel().eventLoop().inEventLoop()) {
            context.fireChannelActive();
            return;
        }
        boolean told =
                context.channel().eventLoop().submit(context::fireChannelActive).awaitUninterruptibly(TIMEOUT);
        if (!told) {
            Future<?> unused = context.close();
        }
    }
}
