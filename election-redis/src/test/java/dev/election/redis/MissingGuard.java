package dev.election.redis;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.redis.internal.LuaScript;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A guard that a script lacks: the lines that are marked with its name are taken out, or replaced where they say more than the guard.
 *
 * @param script the name of the script
 * @param guard the name of the guard
 */
record MissingGuard(String script, String guard) {

    private static final Pattern MARK = Pattern.compile("-- guard: (\\w+)$");

    /** Whatever stands in the place of a marked line, by script and guard. */
    private static final Map<String, String> REPLACED_BY = Map.of(
            "server replica", "local was_replica = false",
            "campaign connection", "local unproven = 0",
            "campaign restored", "local blocked = unproven",
            "campaign overdue", "if false then",
            "campaign quarantine", "if false then",
            "campaign deleted", "if false then",
            "campaign unheard", "local length = lock('settling', settle)",
            "renew newer", "if held then",
            "renew expiry", "local forgotten = true",
            "evict closed", "'closed', text(epoch.closed))");

    /** All that are marked. */
    static Stream<MissingGuard> all() {
        return Stream.concat(
                        ScriptSet.SHARED.stream(),
                        Arrays.stream(ProtocolScript.values()).map(ProtocolScript::text))
                .flatMap(script -> LuaScript.source(script)
                        .lines()
                        .map(MARK::matcher)
                        .filter(Matcher::find)
                        .map(mark -> mark.group(1))
                        .distinct()
                        .map(guard -> new MissingGuard(script, guard)));
    }

    /** The text of a script of that name. */
    String source(String name) {
        String text = LuaScript.source(name);
        if (!name.equals(script)) {
            return text;
        }
        String left = text.lines().flatMap(this::left).collect(joining("\n", "", "\n"));
        assertThat(left).as("the script without the guard").isNotEqualTo(text);
        return left;
    }

    private Stream<String> left(String line) {
        return isMarked(line) ? Stream.ofNullable(replacement()) : Stream.of(line);
    }

    private boolean isMarked(String line) {
        Matcher mark = MARK.matcher(line);
        return mark.find() && mark.group(1).equals(guard);
    }

    private @Nullable String replacement() {
        return REPLACED_BY.get(toString());
    }

    @Override
    public String toString() {
        return script + " " + guard;
    }
}
