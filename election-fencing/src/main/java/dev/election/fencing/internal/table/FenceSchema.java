package dev.election.fencing.internal.table;

import dev.election.ElectionConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;

/** Creates the table {@code election_fence} if it does not exist. */
public final class FenceSchema {

    private final Predicate<DataSource> creates;

    /**
     * Creates it.
     *
     * @param creates whether to create the table in that database
     */
    public FenceSchema(Predicate<DataSource> creates) {
        this.creates = creates;
    }

    /** Creates the table in that database, if that is wanted. */
    public void create(DataSource database) {
        if (!creates.test(database)) {
            return;
        }
        ResourceDatabasePopulator script = new ResourceDatabasePopulator(
                new ClassPathResource("META-INF/election/fencing/schema-" + platformOf(database) + ".sql"));
        try {
            DatabasePopulatorUtils.execute(script, database);
        } catch (ScriptException failure) {
            // In PostgreSQL one of several nodes that create it at the same time fails, though the statement says "if
            // not exists".
            DatabasePopulatorUtils.execute(script, database);
        }
    }

    private static String platformOf(DataSource database) {
        try (Connection connection = database.getConnection()) {
            FenceDialect dialect = FenceDialect.of(connection.getMetaData());
            if (dialect != FenceDialect.OTHER) {
                return dialect.name().toLowerCase(Locale.ROOT);
            }
            throw new ElectionConfigurationException(
                    "There is no script that creates the table election_fence in "
                            + connection.getMetaData().getDatabaseProductName(),
                    "Create it like META-INF/election/fencing/schema-postgresql.sql of election-fencing, and set"
                            + " election.fencing.jdbc.initialize-schema=never.");
        } catch (SQLException failure) {
            throw new CannotGetJdbcConnectionException("The table election_fence can't be created", failure);
        }
    }
}
