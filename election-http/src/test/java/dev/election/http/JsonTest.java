package dev.election.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JsonTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "\"quoted\" and 'quoted'",
                "back\\slash",
                "line\nline\r\ttab\b\f",
                "\u0000\u001f\u007f",
                "\u00e4\u00df\u20ac",
                "\ud83d\ude00",
                "\u2028\u2029",
                "</script>",
                "{\"a\":1}"
            })
    void a_text_comes_back_as_it_was_written_as_a_name_and_as_a_value(String text) {
        assertThat(Json.object(Json.write(Map.of(text, text)))).isEqualTo(Map.of(text, text));
    }

    @Test
    void escapes_are_read() {
        assertThat(Json.object("{\"a\":\"\\u00e4\\ud83d\\ude00\\/\\\"\\\\\\n\"}"))
                .isEqualTo(Map.of("a", "\u00e4\ud83d\ude00/\"\\\n"));
    }

    @Test
    void what_is_nested_comes_back_in_its_order() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("z", List.of(Map.of("a", List.of()), "b", List.of(1, true, false)));
        object.put("a", Map.of("b", Map.of("c", Map.of())));
        String written = "{\"z\":[{\"a\":[]},\"b\",[1,true,false]],\"a\":{\"b\":{\"c\":{}}}}";
        assertThat(Json.write(object)).isEqualTo(written);
        assertThat(Json.object(" \n" + written + " ")).isEqualTo(object);
        assertThat(Json.at(object, "a", "b")).isEqualTo(Map.of("c", Map.of()));
        assertThat(Json.at(object, "a", "x", "y")).isEmpty();
        assertThat(Json.at(object, "z", "a")).isEmpty();
    }

    @Test
    void what_is_null_is_written_and_reads_as_nothing() {
        assertThat(Json.write(Collections.singletonMap("a", null))).isEqualTo("{\"a\":null}");
        assertThat(Json.write(Arrays.asList(null, 1))).isEqualTo("[null,1]");
        assertThat(Json.object("{\"a\":null,\"b\":[null,1],\"c\":\"null\"}"))
                .isEqualTo(Map.of("b", List.of(1), "c", "null"));
    }

    @Test
    void a_number_is_read_also_from_a_text() {
        Map<String, Object> object = Json.object(
                "{\"a\":12,\"b\":\"34\",\"c\":\"-1\",\"d\":\"x\",\"e\":true,\"f\":9007199254740993,\"g\":\"\",\"h\":1.5}");
        assertThat(List.of("a", "b", "c", "d", "e", "f", "g", "h", "missing").stream()
                        .map(name -> Json.number(object, name)))
                .containsExactly(12L, 34L, 0L, 0L, 0L, 9007199254740993L, 0L, 1L, 0L);
    }

    @Test
    void a_text_that_is_no_text_is_empty() {
        assertThat(List.of("a", "b", "c").stream().map(name -> Json.text(Json.object("{\"a\":\"x\",\"b\":1}"), name)))
                .containsExactly("x", "", "");
    }

    @Test
    void only_objects_are_taken_from_an_array_of_objects() {
        Map<String, Object> object = Json.object("{\"a\":[{\"b\":1},{\"b\":2}],\"c\":{},\"d\":[3]}");
        assertThat(Json.objects(object, "a")).containsExactly(Map.of("b", 1), Map.of("b", 2));
        assertThat(Json.objects(object, "c")).isEmpty();
        assertThat(Json.objects(object, "d")).containsExactly(Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "\"a\"",
                "null",
                "12",
                "404 page not found\n",
                "<html>",
                "{",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":[1,",
                "{\"a\":{\"b\":1}",
                "{'a':1}",
                "{\"a\" 1}"
            })
    void anything_else_than_an_object_is_refused(String text) {
        assertThatThrownBy(() -> Json.object(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("No JSON");
    }
}
