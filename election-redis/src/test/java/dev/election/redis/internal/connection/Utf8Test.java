package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {

    /** A length that is not the true one would make a request that Redis can't read, and cost the connection. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "node-1",
                "Zürich",
                "主节点",
                "\uD83D\uDE80",
                "half a pair: \uD83D",
                "\uDE80 the other half",
                "\uD83D主"
            })
    void says_beforehand_how_many_bytes_it_writes(String text) {
        ByteBuf key = Unpooled.buffer();
        ByteBuf value = Unpooled.directBuffer();

        Utf8.CODEC.encodeKey(text, key);
        Utf8.CODEC.encodeValue(text, value);

        assertThat(Utf8.CODEC.isEstimateExact()).isTrue();
        assertThat(Utf8.CODEC.estimateSize(text)).isEqualTo(key.readableBytes()).isEqualTo(value.readableBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "node-1", "Zürich", "主节点", "\uD83D\uDE80"})
    void writes_what_it_reads(String text) {
        ByteBuf written = Unpooled.buffer();
        Utf8.CODEC.encodeValue(text, written);
        assertThat(Utf8.CODEC.decodeValue(written.nioBuffer())).isEqualTo(text);
    }
}
