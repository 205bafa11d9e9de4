package dev.election.support;

/** A text on one line, where a backslash and {@code n} stands for a line end. */
public final class OneLine {

    private OneLine() {}

    /** The text without line ends. */
    public static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }

    /** The text with them. */
    public static String unescaped(String line) {
        if (line.indexOf('\\') < 0) {
            return line;
        }
        StringBuilder plain = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next == '\\' && i + 1 < line.length()) {
                i++;
                next = line.charAt(i) == 'n' ? '\n' : line.charAt(i);
            }
            plain.append(next);
        }
        return plain.toString();
    }
}
