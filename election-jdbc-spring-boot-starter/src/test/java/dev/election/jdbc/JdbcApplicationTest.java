package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.fencing.Fenced;
import dev.election.fencing.StaleLeaderException;
import dev.election.quartz.WholeApplicationContract;
import dev.election.store.LeaseStore;
import dev.election.testing.RealTime;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ClassUtils;

/** All that works over Redis, over a database in memory. The wiring is tried in each build, by contexts without a server. */
@RealTime
@Import(JdbcApplicationTest.FencedWork.class)
@TestPropertySource(
        properties = {"spring.datasource.url=jdbc:h2:mem:application", "spring.datasource.hikari.maximum-pool-size=3"})
class JdbcApplicationTest extends WholeApplicationContract {

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private FencedWork work;

    @Autowired
    private LeaseStore store;

    @Test
    void a_whole_application_runs_on_its_database() throws Exception {
        assertThat(store).isInstanceOf(JdbcLeaseStore.class);
        assertRuns("H2 (h2:mem:application), table election");
        work.fenced();
        assertThat(jdbc.queryForList("select resource from election_fence", String.class))
                .contains("books");

        assertThat(jdbc.queryForList("select holder from election where name = 'reports'", String.class))
                .containsExactly("node-1");
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(
                        jdbc.queryForList("select name from election where name like 'ledger/%'", String.class))
                .isNotEmpty());
    }

    @Test
    void there_is_no_client_of_redis() {
        assertThat(List.of(
                        "io.lettuce.core.RedisClient",
                        "redis.clients.jedis.Jedis",
                        "org.springframework.data.redis.connection.RedisConnection",
                        "dev.election.redis.RedisLeaseStore"))
                .noneMatch(type -> ClassUtils.isPresent(type, JdbcApplicationTest.class.getClassLoader()));
    }

    @Test
    void a_write_of_an_earlier_leader_is_refused() throws Exception {
        jdbc.execute("create table report (id int primary key, body varchar(1000), token bigint not null)");
        jdbc.update("insert into report values (1, '', 0)");
        assertThat(elections.get("reports").awaitLeadership(SOON)).isTrue();
        work.writeFenced("first");
        work.writeWithToken("second");
        assertThat(body()).isEqualTo("second");

        // As a newer leader has it.
        jdbc.update("update election_fence set token = token + 1 where resource = 'reports'");
        jdbc.update("update report set token = token + 1");
        assertThatThrownBy(() -> work.writeFenced("late")).isInstanceOf(StaleLeaderException.class);
        assertThatThrownBy(() -> work.writeWithToken("late"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("A newer leader has already written this report");
        assertThat(body()).isEqualTo("second");
    }

    private String body() {
        return String.valueOf(jdbc.queryForObject("select body from report", String.class));
    }

    public static class FencedWork {

        private final JdbcTemplate jdbc;

        FencedWork(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @LeaderOnly("reports")
        @Fenced(resource = "books", election = "reports")
        @Transactional
        public List<String> fenced() {
            return jdbc.queryForList("select 'x'", String.class);
        }

        @LeaderOnly("reports")
        @Fenced(resource = "reports", election = "reports")
        @Transactional
        public void writeFenced(String body) {
            jdbc.update("update report set body = ? where id = 1", body);
        }

        @LeaderOnly("reports")
        public void writeWithToken(String body) {
            long token = FencingToken.current().orElseThrow().value();
            int rows = jdbc.update(
                    "update report set body = ?, token = ? where id = 1 and token <= ?", body, token, token);
            if (rows == 0) {
                throw new IllegalStateException("A newer leader has already written this report");
            }
        }
    }
}
