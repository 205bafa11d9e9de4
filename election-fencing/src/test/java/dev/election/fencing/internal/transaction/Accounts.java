package dev.election.fencing.internal.transaction;

import dev.election.fencing.Fenced;
import dev.election.fencing.StaleLeaderException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What leaders write: each method reads, lets the test do something, and writes what follows from what it has read. */
public class Accounts {

    private final JdbcTemplate jdbc;

    /** By their proxy. */
    private final ObjectProvider<Accounts> self;

    Accounts(DataSource database, ObjectProvider<Accounts> self) {
        this.jdbc = new JdbcTemplate(database);
        this.self = self;
    }

    public static void createTables(FencingDatabase database) {
        database.jdbc().execute("create table account (id int primary key, balance int not null)");
        database.jdbc().execute("create table journal (entry varchar(255) not null)");
        database.jdbc().execute("create table marker (id int primary key)");
        database.jdbc().update("insert into account values (1, 0)");
    }

    @Transactional
    @Fenced(resource = "accounts")
    public void add(int amount, Runnable between) {
        readAndWrite(amount, between);
    }

    @Transactional
    public void addUnfenced(int amount, Runnable between) {
        readAndWrite(amount, between);
    }

    @Transactional(noRollbackFor = {StaleLeaderException.class, RuntimeException.class})
    @Fenced(resource = "accounts")
    public void addWithoutRollback(int amount, Runnable between) {
        readAndWrite(amount, between);
    }

    /** Stops after the check, before the commit. */
    @Transactional
    @Fenced(resource = "accounts")
    public void addAndStopInCommit(int amount, Runnable inCommit) {
        readAndWrite(amount, () -> {});
        beforeCommit(inCommit);
    }

    /** Writes in a callback of the commit. */
    @Transactional
    @Fenced(resource = "accounts")
    public void writeInCallbackOfCommit() {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                jdbc.update("insert into journal values (?)", "callback");
            }

            @Override
            public int getOrder() {
                return Ordered.LOWEST_PRECEDENCE - 1;
            }
        });
    }

    /** Joins the transaction only while it is committed. */
    @Transactional
    public void addInCallbackOfCommit(int amount, Runnable between) {
        beforeCommit(() -> {
            between.run();
            self.getObject().add(amount, () -> {});
        });
    }

    @Transactional
    @Fenced(resource = "accounts")
    public void addAndNoteInNewTransaction(int amount, Runnable before, Runnable after) {
        before.run();
        self.getObject().noteInNewTransaction("new");
        readAndWrite(amount, after);
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    @Fenced(resource = "journal")
    public void noteInNewTransaction(String entry) {
        jdbc.update("insert into journal values (?)", entry);
    }

    @Transactional
    public void addNested(int amount, Runnable between) {
        jdbc.update("insert into journal values ('outer')");
        self.getObject().nested(amount, between);
    }

    /** The nested part is undone, the rest is not. */
    @Transactional
    public void addNestedInVain(Runnable between) {
        jdbc.update("insert into journal values ('outer')");
        try {
            self.getObject().nested(1, () -> {
                throw new IllegalArgumentException("undo");
            });
        } catch (IllegalArgumentException expected) {
            between.run();
        }
    }

    @Transactional(propagation = Propagation.NESTED)
    @Fenced(resource = "accounts")
    public void nested(int amount, Runnable between) {
        readAndWrite(amount, between);
    }

    @Transactional(isolation = Isolation.REPEATABLE_READ)
    @Fenced(resource = "accounts")
    public void noteRepeatably(String entry, Runnable between) {
        note(entry, between);
    }

    @Transactional(isolation = Isolation.SERIALIZABLE)
    @Fenced(resource = "accounts")
    public void noteSerializably(String entry, Runnable between) {
        note(entry, between);
    }

    @Transactional
    @Fenced(resource = "left")
    public void leftFirst(String entry) {
        self.getObject().right(entry);
    }

    @Transactional
    @Fenced(resource = "right")
    public void rightFirst(String entry) {
        self.getObject().left(entry);
    }

    @Transactional
    @Fenced(resource = "left")
    public void left(String entry) {
        note(entry, () -> {});
    }

    @Transactional
    @Fenced(resource = "right")
    public void right(String entry) {
        note(entry, () -> {});
    }

    @Transactional(readOnly = true)
    public void readOnly() {
        self.getObject().add(1, () -> {});
    }

    @Transactional
    public void twice(Runnable between) {
        self.getObject().add(1, () -> {});
        between.run();
        self.getObject().add(1, () -> {});
    }

    private void readAndWrite(int amount, Runnable between) {
        Integer balance = jdbc.queryForObject("select balance from account where id = 1", Integer.class);
        between.run();
        jdbc.update("update account set balance = ? where id = 1", balance + amount);
    }

    private void note(String entry, Runnable between) {
        jdbc.queryForObject("select count(*) from marker", Integer.class);
        between.run();
        jdbc.update("insert into journal values (?)", entry);
    }

    private static void beforeCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                action.run();
            }
        });
    }
}
