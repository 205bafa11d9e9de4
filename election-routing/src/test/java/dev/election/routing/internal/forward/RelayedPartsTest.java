package dev.election.routing.internal.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

class RelayedPartsTest {

    private final NettyDataBufferFactory buffers = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT);
    private final RelayedParts parts = new RelayedParts();

    @Test
    void a_part_that_nobody_has_taken_is_released_at_the_end_and_one_that_was_taken_is_not() {
        NettyDataBuffer taken = buffer("a");
        NettyDataBuffer waits = buffer("a");
        assertThat(parts.add(taken).get()).isSameAs(taken);
        Supplier<@Nullable DataBuffer> late = parts.add(waits);
        parts.end();
        assertThat(references(taken)).isOne();
        assertThat(references(waits)).isZero();
        assertThat(late.get()).isNull();
    }

    @Test
    void a_part_that_comes_after_the_end_is_released() {
        parts.end();
        NettyDataBuffer late = buffer("late");
        assertThat(parts.add(late).get()).isNull();
        assertThat(references(late)).isZero();
    }

    private NettyDataBuffer buffer(String text) {
        NettyDataBuffer buffer = buffers.allocateBuffer(16);
        buffer.write(text, StandardCharsets.UTF_8);
        return buffer;
    }

    private static int references(NettyDataBuffer buffer) {
        return buffer.getNativeBuffer().refCnt();
    }
}
