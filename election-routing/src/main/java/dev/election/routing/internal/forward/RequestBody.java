package dev.election.routing.internal.forward;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.web.ErrorResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The body of a forwarded request. A small one is kept, so that it can be sent to another leader if the first one has refused the request
 * unread. A larger one, or one of unknown length, is streamed and can be sent once.
 */
public final class RequestBody {

    /** Up to that many bytes are kept. */
    static final int SMALL = 16 * 1024;

    private static final byte[] NOTHING = {};

    private final byte @Nullable [] kept;
    private final Flux<DataBuffer> stream;
    private final Mono<Void> broken;
    private final AtomicBoolean isUsed = new AtomicBoolean();

    private RequestBody(byte[] kept) {
        this(kept, Flux.empty(), Mono.never());
    }

    private RequestBody(byte @Nullable [] kept, Flux<DataBuffer> stream, Mono<Void> broken) {
        this.kept = kept;
        this.stream = stream;
        this.broken = broken;
    }

    /** Returns no body. Over HTTP/2 no header says so. */
    public static Mono<RequestBody> empty() {
        return form("");
    }

    /** Returns a form that something has read before, encoded in ASCII. */
    public static Mono<RequestBody> form(String encoded) {
        return Mono.just(new RequestBody(encoded.getBytes(StandardCharsets.US_ASCII)));
    }

    /**
     * Returns a body as it comes. Fails if it is small and can't be read to its end.
     *
     * @param length by the headers of the request, less than 0 if they say none
     */
    public static Mono<RequestBody> of(Flux<DataBuffer> parts, long length) {
        Flux<DataBuffer> body = parts.onErrorMap(RequestBody::isOfClient, Broken::new);
        if (length < 0 || length > SMALL) {
            Sinks.Empty<Void> end = Sinks.empty();
            Flux<DataBuffer> stream = body.onErrorResume(Broken.class, broken -> {
                end.tryEmitError(broken);
                return Mono.never();
            });
            return Mono.just(new RequestBody(null, stream, end.asMono()));
        }
        return DataBufferUtils.join(body, SMALL)
                .map(RequestBody::bytesOf)
                .defaultIfEmpty(NOTHING)
                .map(bytes -> new RequestBody(bytes));
    }

    /** Not the refusal of a filter, which says what to answer, nor that of a server to read a body twice, nor a lack of memory. */
    private static boolean isOfClient(Throwable failure) {
        return !(failure instanceof ErrorResponse
                || failure instanceof IllegalStateException
                || failure instanceof Error);
    }

    /** Takes what is in a buffer, and releases it. */
    static byte[] bytesOf(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    /**
     * Fails with a {@link Broken} if the client has not sent all of it. The request to the leader is to be cancelled then: if its body
     * failed, the client library would warn of it.
     */
    Mono<Void> broken() {
        return broken;
    }

    /** Whether it can be sent, for the first time or again. */
    boolean canBeSent() {
        return kept != null || !isUsed.get();
    }

    /** Sets the headers that concern the body, and sends it. */
    Mono<Void> send(ClientHttpRequest outgoing) {
        isUsed.set(true);
        HttpHeaders headers = outgoing.getHeaders();
        if (kept == null) {
            if (!headers.containsHeader(HttpHeaders.CONTENT_LENGTH)) {
                headers.set(HttpHeaders.TRANSFER_ENCODING, "chunked");
            }
            // Each part is a group of its own: the client would gather the body of a DELETE otherwise.
            return outgoing.writeAndFlushWith(stream.map(Mono::just));
        }
        if (kept.length > 0 || headers.containsHeader(HttpHeaders.CONTENT_LENGTH)) {
            headers.setContentLength(kept.length);
        }
        if (kept.length == 0) {
            return outgoing.setComplete();
        }
        return outgoing.writeWith(Mono.fromSupplier(() -> DefaultDataBufferFactory.sharedInstance.wrap(kept)));
    }

    /** The client has not sent all of it. */
    static final class Broken extends Exception {

        private static final long serialVersionUID = 1L;

        private Broken(Throwable cause) {
            super(null, cause, false, false);
        }
    }
}
