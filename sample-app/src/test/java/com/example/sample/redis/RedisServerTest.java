package com.example.sample.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.harness.Ports;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kills-processes")
class RedisServerTest {

    private final int port = Ports.free();

    @Test
    void it_leaves_nothing_behind() throws Exception {
        Path folder;
        try (RedisServer server = RedisServer.startAt(port, null)) {
            folder = server.folder();
            assertThat(RedisServer.listensAt(port)).isTrue();
        }
        assertThat(RedisServer.listensAt(port)).isFalse();
        assertThat(folder).doesNotExist();
    }

    @Test
    void a_second_one_starts_at_the_next_port() throws Exception {
        try (RedisServer first = RedisServer.startAt(port, null);
                RedisServer second = RedisServer.startFrom(port)) {
            assertThat(second.port()).isGreaterThan(first.port());
            assertThatThrownBy(() -> RedisServer.startAt(port, null)).isInstanceOf(BindException.class);
        }
    }

    @Test
    void it_begins_with_a_snapshot_or_empty(@TempDir Path kept) throws Exception {
        Path snapshot = kept.resolve("dump.rdb");
        try (RedisServer server = RedisServer.startAt(port, null)) {
            assertThat(ask("SET colour blue")).isEqualTo("+OK");
            assertThat(ask("SAVE")).isEqualTo("+OK");
            Files.copy(server.folder().resolve("dump.rdb"), snapshot);
        }
        try (RedisServer server = RedisServer.startAt(port, snapshot)) {
            assertThat(ask("EXISTS colour")).as(server.toString()).isEqualTo(":1");
        }
        try (RedisServer server = RedisServer.startAt(port, null)) {
            assertThat(ask("EXISTS colour")).as(server.toString()).isEqualTo(":0");
        }
    }

    private String ask(String command) throws Exception {
        try (Socket connection = new Socket("127.0.0.1", port)) {
            connection.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }
}
