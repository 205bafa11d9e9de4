package dev.election.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Access to the database of the elections. They keep up to two connections, and one more to listen to PostgreSQL: so neither an exhausted
 * pool nor a transaction of the application delays a renewal.
 */
public final class JdbcDatabase {

    /** A URL with several servers of PostgreSQL, in three groups: the scheme, the servers, and the rest. */
    private static final Pattern SEVERAL = Pattern.compile("(jdbc:postgresql://)([^/?]*,[^/?]*)(.*)");

    private final @Nullable String url;
    private final Opener opener;

    /** The name of the DataSource for messages, {@code null} if it has none. */
    private final @Nullable String name;

    private JdbcDatabase(@Nullable String url, Opener opener) {
        this.url = url;
        this.opener = opener;
        this.name = null;
    }

    private JdbcDatabase(JdbcDatabase same, String name) {
        this.url = same.url;
        this.opener = same.opener;
        this.name = name;
    }

    @FunctionalInterface
    private interface Opener {

        Connection open(@Nullable String url, Duration limit) throws SQLException;
    }

    /** Creates access to the database at a URL. */
    public static JdbcDatabase at(String url, @Nullable String user, @Nullable String password) {
        return at(url, () -> user, () -> password);
    }

    /** Creates access to the database at a URL with credentials that are read again for each connection. */
    public static JdbcDatabase at(String url, Supplier<@Nullable String> user, Supplier<@Nullable String> password) {
        return new JdbcDatabase(url, (present, limit) -> {
            String address = present == null ? url : present;
            Properties properties = timeouts(address, limit);
            put(properties, "user", user.get());
            put(properties, "password", password.get());
            return DriverManager.getConnection(address, properties);
        });
    }

    /**
     * Creates access through a {@code DataSource}. Give the elections a pool of their own with two connections, or three if they shall
     * listen to PostgreSQL: they don't give back what they have taken. The time limits for connecting are those of the pool.
     */
    public static JdbcDatabase of(DataSource source) {
        return new JdbcDatabase(null, (none, limit) -> source.getConnection());
    }

    /**
     * Creates access through a {@code DataSource} with a name for messages.
     *
     * @param name of the {@code DataSource}, such as that of its bean
     */
    public static JdbcDatabase of(DataSource source, String name) {
        return new JdbcDatabase(of(source), name);
    }

    /** Opens a connection, with time limits of the driver for connecting and for each answer. */
    public Connection open(Duration limit) throws SQLException {
        return opener.open(url, limit);
    }

    /** The servers that the URL names, each by itself and with all else that the URL says; none unless it names several of PostgreSQL. */
    public List<JdbcDatabase> servers() {
        Matcher several = SEVERAL.matcher(url == null ? "" : url);
        return several.matches()
                ? Stream.of(several.group(2).split(","))
                        .map(server -> new JdbcDatabase(several.group(1) + server + several.group(3), opener))
                        .toList()
                : List.of();
    }

    /** This database, whose driver tries that one of its {@link #servers} first. */
    public JdbcDatabase preferring(int server) {
        Matcher several = SEVERAL.matcher(url == null ? "" : url);
        if (!several.matches()) {
            throw new IllegalStateException(address() + " is no list of servers");
        }
        List<String> order = new ArrayList<>(List.of(several.group(2).split(",")));
        order.add(0, order.remove(server));
        return new JdbcDatabase(several.group(1) + String.join(",", order) + several.group(3), opener);
    }

    /** The name of the product for messages, as far as it is known before there is a connection. */
    public String product() {
        if (isOf("postgresql")) {
            return "PostgreSQL";
        }
        if (isOf("mariadb")) {
            return "MariaDB";
        }
        if (isOf("mysql")) {
            return "MySQL";
        }
        return isOf("h2") ? "H2" : "the database";
    }

    /** Whether the product is known before there is a connection. */
    public boolean isKnown() {
        return url != null;
    }

    /** The address for messages, without credentials. */
    public String address() {
        String source = name == null ? "a DataSource" : "DataSource '" + name + "'";
        return url == null
                ? source
                : url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//").replaceFirst("^jdbc:", "");
    }

    /** Whether it ends with this process. */
    public boolean isInMemory() {
        return url != null && url.contains(":h2:mem:");
    }

    private boolean isOf(String product) {
        return url != null && url.contains(":" + product + ":");
    }

    /**
     * Returns the properties that the URL does not set. Statements of PostgreSQL are not prepared on the server: a pooler may send the next
     * one to another connection of its own.
     */
    private static Properties timeouts(String url, Duration limit) {
        Properties properties = new Properties();
        BiConsumer<String, String> set = (name, value) -> {
            if (!url.contains(name + "=")) {
                properties.put(name, value);
            }
        };
        if (url.contains(":postgresql:")) {
            String seconds = Long.toString(Math.max(1, limit.toSeconds()));
            set.accept("connectTimeout", seconds);
            set.accept("loginTimeout", seconds);
            set.accept("socketTimeout", seconds);
            set.accept("tcpKeepAlive", "true");
            set.accept("prepareThreshold", "0");
            // The driver would refuse a single server that is no primary, which then could not say so.
            set.accept("targetServerType", url.contains(",") ? "primary" : "any");
        } else if (url.contains(":mysql:") || url.contains(":mariadb:")) {
            set.accept("connectTimeout", Long.toString(limit.toMillis()));
            set.accept("socketTimeout", Long.toString(limit.toMillis()));
            set.accept("tcpKeepAlive", "true");
        }
        return properties;
    }

    private static void put(Properties properties, String name, @Nullable String value) {
        if (value != null) {
            properties.put(name, value);
        }
    }
}
