package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ElectionKeysTest {

    @Test
    void a_channel_of_a_node_has_the_prefix_and_the_database() {
        assertThat(new ElectionKeys("election").node("n-1")).isEqualTo("election:node:{n-1}");
        assertThat(new ElectionKeys(RedisKeySpace.of("election"), 3).node("n-1"))
                .isEqualTo("election:node:{n-1}@3");
    }

    @Test
    void neither_an_election_nor_another_prefix_has_the_channel_of_a_node() {
        assertThat(Stream.of("a", "a:node", "a:node:b", "a:node:b:node")
                        .flatMap(prefix -> Stream.of("x", "node", "b:node:x", "node:b:node:x", "x:events")
                                .flatMap(name -> Stream.of(0, 1).flatMap(database -> {
                                    ElectionKeys keys = new ElectionKeys(RedisKeySpace.of(prefix), database);
                                    return Stream.of(keys.node(name), keys.events(name));
                                }))))
                .doesNotHaveDuplicates();
    }
}
