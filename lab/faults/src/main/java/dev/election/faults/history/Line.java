package dev.election.faults.history;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An entry as a line of text: its name, then its components in their order, between blanks. */
public final class Line {

    private static final String NOTHING = "-";

    private static final Map<String, Class<?>> KINDS = Arrays.stream(Entry.class.getPermittedSubclasses())
            .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));

    private Line() {}

    public static String of(Entry entry) {
        return Stream.concat(
                        Stream.of(entry.getClass().getSimpleName()),
                        Arrays.stream(entry.getClass().getRecordComponents())
                                .map(component -> write(valueOf(component, entry))))
                .collect(Collectors.joining(" "));
    }

    public static Entry parse(String line) {
        String[] words = line.split(" ", -1);
        Class<?> kind = KINDS.get(words[0]);
        if (kind == null || kind.getRecordComponents().length != words.length - 1) {
            throw new IllegalArgumentException("Not an entry of a history: " + line);
        }
        RecordComponent[] components = kind.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(words[i + 1], components[i].getGenericType());
        }
        try {
            Constructor<?> constructor = kind.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return (Entry) constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(line, e);
        }
    }

    private static Object valueOf(RecordComponent component, Entry entry) {
        try {
            return component.getAccessor().invoke(entry);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String write(Object value) {
        String word = value instanceof Collection<?> many
                ? many.stream().map(String::valueOf).collect(Collectors.joining(","))
                : value.toString();
        if (word.contains(" ") || word.contains("\n")) {
            throw new IllegalArgumentException("A word of a history can't contain a blank: " + word);
        }
        return word.isEmpty() ? NOTHING : word;
    }

    private static Object read(String word, Type type) {
        if (type == long.class) {
            return Long.parseLong(word);
        } else if (type == int.class) {
            return Integer.parseInt(word);
        } else if (type == boolean.class) {
            return Boolean.parseBoolean(word);
        } else if (type == Entry.Write.Outcome.class) {
            return Entry.Write.Outcome.valueOf(word);
        } else if (type instanceof ParameterizedType many) {
            List<String> words = word.equals(NOTHING) ? List.of() : List.of(word.split(",", -1));
            return many.getRawType() == Set.class ? consequences(words) : words;
        }
        return word.equals(NOTHING) ? "" : word;
    }

    private static Set<Consequence> consequences(List<String> names) {
        return names.stream()
                .map(Consequence::valueOf)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Consequence.class)));
    }
}
