package dev.election.redis.internal.connection;

import io.lettuce.core.codec.StringCodec;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;

/**
 * A codec that measures text before it is written. Otherwise the client gives each key and argument of a request a buffer of its own, and
 * copies from there.
 */
public final class Utf8 extends StringCodec {

    public static final Utf8 CODEC = new Utf8();

    private Utf8() {
        super(StandardCharsets.UTF_8);
    }

    @Override
    public int estimateSize(Object text) {
        return text instanceof String known ? ByteBufUtil.utf8Bytes(known) : 0;
    }

    @Override
    public boolean isEstimateExact() {
        return true;
    }
}
