package dev.election.http;

import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** JSON as maps, lists, texts, numbers and truth values. */
public final class Json {

    /** The texts are those of a store that was asked for them: their bound is that of a reply. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(HttpConnection.LARGEST)
                    .build())
            .build();

    private Json() {}

    /** Reads an object. Throws an {@link IllegalArgumentException} if the text is anything else. */
    public static Map<String, Object> object(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException(
                        "No JSON object: " + text.substring(0, Math.min(100, text.length())));
            }
            return readObject(parser);
        } catch (JacksonException invalid) {
            throw new IllegalArgumentException("No JSON: " + invalid.getOriginalMessage(), invalid);
        }
    }

    private static Map<String, Object> readObject(JsonParser parser) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            parser.nextToken();
            Object value = read(parser);
            if (value != null) {
                object.put(name, value);
            }
        }
        return object;
    }

    private static List<Object> readArray(JsonParser parser) {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Object value = read(parser);
            if (value != null) {
                array.add(value);
            }
        }
        return array;
    }

    private static @Nullable Object read(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> readArray(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> null;
        };
    }

    /** Returns the object at a path, empty if there is none. */
    public static Map<String, Object> at(Map<String, Object> object, String... path) {
        Map<String, Object> found = object;
        for (String name : path) {
            found = asObject(found.get(name));
        }
        return found;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asObject(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    /** Returns the text of that name, empty if there is none. */
    public static String text(Map<String, Object> object, String name) {
        return object.get(name) instanceof String text ? text : "";
    }

    /** Returns the number of that name, or in a text of that name; 0 if there is none. */
    public static long number(Map<String, Object> object, String name) {
        Object found = object.get(name);
        if (found instanceof Number number) {
            return number.longValue();
        }
        return found instanceof String text && text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    /** Returns the objects in an array of that name. */
    public static List<Map<String, Object>> objects(Map<String, Object> object, String name) {
        List<?> array = object.get(name) instanceof List<?> list ? list : List.of();
        return array.stream().map(Json::asObject).toList();
    }

    /** Writes a map, list, text, number or truth value. */
    public static String write(Object value) {
        Writer text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(value, generator);
        }
        return text.toString();
    }

    private static void write(@Nullable Object value, JsonGenerator generator) {
        if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            map.forEach((name, inner) -> {
                generator.writeName(String.valueOf(name));
                write(inner, generator);
            });
            generator.writeEndObject();
        } else if (value instanceof List<?> list) {
            generator.writeStartArray();
            list.forEach(one -> write(one, generator));
            generator.writeEndArray();
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            generator.writeRawValue(String.valueOf(value));
        } else {
            generator.writeString(value.toString());
        }
    }
}
