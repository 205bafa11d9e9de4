package dev.election.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.sql.SQLWarning;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/** What PostgreSQL warns of after a commit. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommitWarningsTest {

    private static SQLWarning unconfirmed() {
        return warning("01000", "canceling wait for synchronous replication", "SyncRepWaitForLSN");
    }

    private static SQLWarning halfFull(String text) {
        return warning("01000", text, "asyncQueueFillWarning");
    }

    private static SQLWarning warning(String state, String text, String routine) {
        return new PSQLWarning(new ServerErrorMessage("SWARNING\0C" + state + "\0M" + text + "\0R" + routine + "\0\0"));
    }

    private static SQLWarning chain(SQLWarning first, SQLWarning second) {
        first.setNextWarning(second);
        return first;
    }

    @Test
    void a_write_that_no_standby_has_confirmed_fails() {
        assertThatThrownBy(() -> Session.requireConfirmed(unconfirmed()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("canceling wait")
                .extracting(failure -> ((SQLException) failure).getSQLState())
                .isEqualTo("01000");
    }

    @Test
    void a_queue_of_notifications_that_fills_fails_nothing_in_any_language() {
        assertThatCode(() -> Session.requireConfirmed(halfFull("NOTIFY queue is 53% full")))
                .doesNotThrowAnyException();
        assertThatCode(() -> Session.requireConfirmed(halfFull("NOTIFY-Warteschlange ist zu 53% voll")))
                .doesNotThrowAnyException();
    }

    @Test
    void another_driver_gives_the_text_only() {
        assertThatCode(() -> Session.requireConfirmed(new SQLWarning("NOTIFY queue is 53% full", "01000")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Session.requireConfirmed(new SQLWarning("canceling wait", "01000")))
                .isInstanceOf(SQLException.class);
    }

    @Test
    void every_warning_of_the_commit_is_looked_at() {
        assertThatThrownBy(() -> Session.requireConfirmed(chain(halfFull("NOTIFY queue is 53% full"), unconfirmed())))
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> Session.requireConfirmed(chain(warning("01006", "revoked", "other"), unconfirmed())))
                .isInstanceOf(SQLException.class);
    }
}
