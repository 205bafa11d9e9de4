package dev.election.jdbc;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of the elections. Elections in different tables have nothing to do with each other.
 *
 * @param schema where it is; {@code null} for the schema in which the connection looks first
 * @param name of the table
 */
public record JdbcTable(@Nullable String schema, String name) {

    /** Names that need no quotes in any database, and are short enough with a suffix. */
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,47}");

    /** The table unless another one is set. */
    public static final JdbcTable DEFAULT = new JdbcTable(null, "election");

    public JdbcTable {
        require("table", name);
        if (schema != null) {
            require("schema", schema);
        }
    }

    /** The name as statements use it. */
    public String qualified() {
        return schema == null ? name : schema + "." + name;
    }

    private static void require(String what, String name) {
        if (!IDENTIFIER.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of a " + what
                    + " must begin with a letter or _ and consist of up to 48 of A-Z a-z 0-9 _ but is '" + name + "'");
        }
    }
}
