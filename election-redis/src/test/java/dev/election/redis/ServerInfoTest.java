package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By lines of INFO. But for Redis these are written by hand, since no other product is here to be asked. */
class ServerInfoTest {

    @ParameterizedTest
    @CsvSource({
        "Redis 7.0.15, redis_version:7.0.15",
        "Valkey 8.1.1, redis_version:7.2.4|server_name:valkey|valkey_version:8.1.1",
        "Dragonfly df-v1.25.0, redis_version:7.4.0|dragonfly_version:df-v1.25.0",
        "Redis Software 7.8.2-34, redis_version:7.4.0|rlec_version:7.8.2-34",
        "KeyDB 6.3.4, redis_version:6.3.4|executable:/usr/local/bin/keydb-server",
        "Redis 7.0.15, redis_version:7.0.15|executable:/usr/bin/redis-server",
        "Redis, os:Linux"
    })
    void the_product_is_known_by_its_own_field(String product, String fields) {
        assertThat(ServerInfo.product("# Server\r\n" + fields.replace("|", "\r\n") + "\r\n"))
                .isEqualTo(product);
    }

    @Test
    void an_active_replica_is_known_by_its_role() {
        assertThat(ServerInfo.isActiveReplica("# Replication\r\nrole:active-replica\r\n"))
                .isTrue();
        assertThat(ServerInfo.isActiveReplica("# Replication\r\nrole:slave\r\n"))
                .isFalse();
        assertThat(ServerInfo.isActiveReplica("# Replication\r\nrole:master\r\n"))
                .isFalse();
        assertThat(ServerInfo.isActiveReplica("")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"master, false", "active-replica, false", "slave, true", "replica, true", "sentinel, true"})
    void whoever_is_no_primary_is_a_replica_however_the_product_calls_it(String role, boolean isReplica) {
        assertThat(ServerInfo.isReplica("# Replication\r\nrole:" + role + "\r\n"))
                .contains(isReplica);
    }

    @Test
    void a_server_that_does_not_say_its_role_is_not_said_to_be_a_replica() {
        assertThat(ServerInfo.isReplica("")).isEmpty();
    }

    @Test
    void a_probe_names_what_scripts_are_refused() {
        ScriptProbe probe = ScriptProbe.parse(List.of("probed", "", "ERR not allowed from script", "", ""));
        assertThat(probe.refused()).containsOnlyKeys("INFO").containsValue("ERR not allowed from script");
        assertThat(ScriptProbe.parse(List.of("probed", "", "", "s", "r")))
                .isEqualTo(new ScriptProbe(java.util.Map.of(), "s", "r"));
    }
}
