package dev.election.benchmarks;

import dev.election.harness.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.regex.Pattern;

/** The statements that a PostgreSQL was sent, by its log. Begin and end of transactions do not count. */
final class StatementCount {

    /** Options by which the log has all statements, each with its database. */
    static final String[] OPTIONS = {"log_statement=all", "log_line_prefix=<%d> ", "max_connections=400"};

    private static final String STATEMENT = "LOG: {2}(?:statement|execute [^:]*): ";
    private static final String FRAME = "(?:BEGIN|COMMIT|ROLLBACK|SET|SHOW)\\b";

    private final PostgresServer server;
    private int begun;

    StatementCount(PostgresServer server) {
        this.server = server;
    }

    /** Counts from now on. */
    void begin() throws IOException {
        begun = text().length();
    }

    /** Returns what the log has gained since then. It is long: read it once for all databases. */
    String end() throws IOException {
        return text().substring(begun);
    }

    /** How many statements there were in that database. */
    static long in(String log, String database) {
        Pattern statement =
                Pattern.compile("^<" + database + "> " + STATEMENT + "(?!" + FRAME + ")", Pattern.MULTILINE);
        return statement.matcher(log).results().count();
    }

    private String text() throws IOException {
        return Files.readString(server.log(), StandardCharsets.ISO_8859_1);
    }
}
