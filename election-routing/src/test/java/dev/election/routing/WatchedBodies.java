package dev.election.routing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Sees each part of the body of a request that asks for it, and whether it has been released. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class WatchedBodies implements WebFilter {

    static final String HEADER = "X-Watch";

    private static final NettyDataBufferFactory BUFFERS = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT);

    private final Queue<ByteBuf> parts = new ConcurrentLinkedQueue<>();

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        if (!request.getHeaders().containsHeader(HEADER)) {
            return chain.filter(exchange);
        }
        return chain.filter(exchange.mutate()
                .request(new ServerHttpRequestDecorator(request) {
                    @Override
                    public Flux<DataBuffer> getBody() {
                        return super.getBody().map(WatchedBodies.this::watched);
                    }
                })
                .build());
    }

    /** The same bytes in a buffer that is not used again for others once it is released. */
    private DataBuffer watched(DataBuffer part) {
        ByteBuf own = Unpooled.copiedBuffer(NettyDataBufferFactory.toByteBuf(part));
        DataBufferUtils.release(part);
        parts.add(own);
        return BUFFERS.wrap(own);
    }

    /** How many parts were seen. */
    int seen() {
        return parts.size();
    }

    /** Whether all of them are released. */
    boolean areReleased() {
        return parts.stream().allMatch(part -> part.refCnt() == 0);
    }
}
