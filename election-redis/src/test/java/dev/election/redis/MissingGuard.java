package dev.election.redis;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.redis.internal.requests.LuaScript;
import java.util.Arrays;
import java.util.List;
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
    private static final Map<String, String> REPLACED_BY = Map.ofEntries(
            Map.entry("server replica", "local was_replica = false"),
            Map.entry("campaign connection", "local unproven = 0"),
            Map.entry("campaign restored", "local blocked = unproven"),
            Map.entry("campaign overdue", "if false then"),
            Map.entry("campaign quarantine", "if false then"),
            Map.entry("campaign deleted", "if false then"),
            Map.entry("campaign unheard", "local length = lock('settling', settle)"),
            Map.entry("renew newer", "if held then"),
            Map.entry("renew expiry", "local forgotten = true"),
            Map.entry("evict closed", "'closed', text(epoch.closed))"),
            Map.entry("members format", "local newer"),
            Map.entry("members latest", "local latest = 0"),
            Map.entry("members lost", "roster.id = 'members'"),
            Map.entry("members incarnation", "roster.name = roster.id"),
            Map.entry("members order", "else"),
            Map.entry("beat begun", "do"),
            Map.entry("beat changes", "return roster.number"),
            Map.entry("beat roster", "local all = false"),
            Map.entry("leave there", "do"));

    private static final List<String> OF_MEMBERS = List.of("members", "beat", "leave");

    /** All that are marked. */
    static Stream<MissingGuard> all() {
        return Stream.of(
                        ScriptSet.SHARED.stream(),
                        Stream.of("members"),
                        Arrays.stream(ProtocolScript.values()).map(ProtocolScript::text))
                .flatMap(scripts -> scripts)
                .flatMap(script -> LuaScript.source(script)
                        .lines()
                        .map(MARK::matcher)
                        .filter(Matcher::find)
                        .map(mark -> mark.group(1))
                        .distinct()
                        .map(guard -> new MissingGuard(script, guard)));
    }

    /** Whether it is one of the scripts of the members. */
    boolean isOfMembers() {
        return OF_MEMBERS.contains(script);
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
