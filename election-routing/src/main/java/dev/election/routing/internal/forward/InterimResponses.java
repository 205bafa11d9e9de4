package dev.election.routing.internal.forward;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Drops the responses of a leader that announce another one, such as 103 (Early Hints).
 *
 * <p>The client library takes one for the whole response and gives the connection back. The next request on it, which may come from another
 * client, would get the real response.
 */
final class InterimResponses extends ChannelInboundHandlerAdapter {

    private boolean isWithin;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpResponse response) {
            isWithin = isInterim(response.status());
        }
        if (!isWithin) {
            context.fireChannelRead(message);
            return;
        }
        ReferenceCountUtil.release(message);
        if (message instanceof LastHttpContent) {
            isWithin = false;
            context.read();
        }
    }

    private static boolean isInterim(HttpResponseStatus status) {
        return status.codeClass() == HttpStatusClass.INFORMATIONAL
                && !status.equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
    }
}
