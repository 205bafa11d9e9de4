package dev.election.support;

import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** Converts texts to one line, and back. */
public final class OneLine {

    /** Control characters, and others by which a text looks different from what it is: they reorder, hide or break lines. */
    private static final Pattern NOT_SHOWN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private OneLine() {}

    /**
     * Returns the text as it may be shown in a log or an answer, whoever has written it: without characters that break, hide or reorder lines.
     *
     * @param longest the highest number of characters; the rest is cut off
     */
    public static String shown(String text, int longest) {
        String line = NOT_SHOWN.matcher(text).replaceAll(" ").strip();
        if (line.length() <= longest) {
            return line;
        }
        boolean splitsPair = longest > 0
                && Character.isHighSurrogate(line.charAt(longest - 1))
                && Character.isLowSurrogate(line.charAt(longest));
        return line.substring(0, splitsPair ? longest - 1 : longest).strip();
    }

    /**
     * Returns the text with a backslash and {@code n} in place of each line end, and a backslash and {@code 0} in place of each zero character, which
     * PostgreSQL takes in no text.
     */
    public static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\0", "\\0");
    }

    /** Returns the text that {@link #escaped} has escaped. */
    public static String unescaped(String line) {
        if (line.indexOf('\\') < 0) {
            return line;
        }
        StringBuilder plain = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next == '\\' && i + 1 < line.length()) {
                i++;
                next = switch (line.charAt(i)) {
                    case 'n' -> '\n';
                    case '0' -> '\0';
                    default -> line.charAt(i);
                };
            }
            plain.append(next);
        }
        return plain.toString();
    }

    /**
     * Reads lines {@code name=value}, in their order. Other lines are skipped.
     *
     * @param part takes each name with its value, which is no longer escaped
     */
    public static void parts(String text, BiConsumer<String, String> part) {
        for (String line : text.split("\n", -1)) {
            int sign = line.indexOf('=');
            if (sign > 0) {
                part.accept(line.substring(0, sign), unescaped(line.substring(sign + 1)));
            }
        }
    }
}
