package dev.election.redis.internal;

import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Lets a connection count as made only once it can be written to. With credentials that are asked for elsewhere the client may finish
 * the handshake on another thread than the one that carries the channel: it then says that the connection is there while the
 * channel is still to be told of it, and rejects the first request ("Currently not connected").
 */
final class ActiveFirst extends ChannelInboundHandlerAdapter {

    private static final long PATIENCE = TimeUnit.SECONDS.toMillis(10);

    private ActiveFirst() {}

    /** It must hear of the end of the handshake on the very thread that ends it: an executor of its own is the only way to that. */
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
                context.channel().eventLoop().submit(context::fireChannelActive).awaitUninterruptibly(PATIENCE);
        if (!told) {
            Future<?> unused = context.close();
        }
    }
}
