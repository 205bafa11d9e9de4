package dev.election.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Panels side by side with logarithmic axes, the vertical one the same in all, as SVG. */
final class LogPlot {

    private static final int LEFT = 80;
    private static final int TOP = 84;
    private static final int WIDTH = 380;
    private static final int HEIGHT = 300;
    private static final int GAP = 70;
    private static final int BOTTOM = 62;
    private static final int RIGHT = 30;
    private static final int LEGEND = 245;
    private static final int SIZE = 5;

    /** Colours that can be told apart with any kind of sight. */
    private static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73");

    private final StringBuilder svg = new StringBuilder();
    private final int lowest;
    private final int highest;

    private LogPlot(int lowest, int highest) {
        this.lowest = lowest;
        this.highest = highest;
    }

    /** Draws panels with the same series in each. */
    static String draw(String vertical, List<Panel> panels) {
        var values = panels.stream()
                .flatMap(panel -> panel.series().stream())
                .flatMap(series -> series.values().values().stream())
                .filter(value -> value > 0)
                .mapToDouble(Math::log10)
                .summaryStatistics();
        int lowest = values.getCount() == 0 ? 0 : (int) Math.floor(values.getMin());
        int highest = values.getCount() == 0 ? 1 : (int) Math.ceil(values.getMax());
        return new LogPlot(lowest, Math.max(lowest + 1, highest)).all(vertical, panels);
    }

    private String all(String vertical, List<Panel> panels) {
        int width = LEFT + panels.size() * (WIDTH + GAP) - GAP + RIGHT;
        int height = TOP + HEIGHT + BOTTOM;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">",
                width, height, width, height);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
        legend(panels.get(0).series());
        add(
                "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                TOP + HEIGHT / 2, vertical);
        for (int number = 0; number < panels.size(); number++) {
            panel(LEFT + number * (WIDTH + GAP), panels.get(number));
        }
        return svg.append("</svg>\n").toString();
    }

    private void legend(List<Series> series) {
        for (int number = 0; number < series.size(); number++) {
            int x = LEFT + number * LEGEND;
            add("<line x1=\"%d\" x2=\"%d\" y1=\"24\" y2=\"24\" %s/>", x, x + 28, stroke(number));
            mark(number, x + 14, 24, "");
            add("<text x=\"%d\" y=\"28\">%s</text>", x + 36, series.get(number).name());
        }
    }

    private void panel(int left, Panel panel) {
        int furthest = panel.series().stream()
                .mapToInt(series -> series.values().lastKey())
                .max()
                .orElse(1);
        int decades = Math.max(1, (int) Math.ceil(Math.log10(furthest)));
        add(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-weight=\"bold\">%s</text>",
                left + WIDTH / 2, TOP - 18, panel.title());
        for (int decade = 0; decade <= decades; decade++) {
            int x = left + WIDTH * decade / decades;
            add("<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#ddd\"/>", x, x, TOP, TOP + HEIGHT);
            add("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, TOP + HEIGHT + 20, power(decade));
        }
        for (int decade = lowest; decade <= highest; decade++) {
            double y = y(decade);
            add("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", left, left + WIDTH, y, y);
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", left - 8, y + 4.5, power(decade));
        }
        add(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                left + WIDTH / 2, TOP + HEIGHT + 44, panel.horizontal());
        // The first is on top, and the others are wider: lines that coincide can all be seen.
        for (int number = panel.series().size() - 1; number >= 0; number--) {
            line(number, left, decades, panel.series().get(number));
        }
    }

    private void line(int number, int left, int decades, Series series) {
        List<double[]> points = new ArrayList<>();
        for (Map.Entry<Integer, Double> value : series.values().entrySet()) {
            double x = left + WIDTH * Math.log10(value.getKey()) / decades;
            points.add(new double[] {x, y(Math.log10(value.getValue()))});
        }
        String path = points.stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point[0], point[1]))
                .collect(Collectors.joining(" "));
        add("<polyline points=\"%s\" fill=\"none\" %s/>", path, stroke(number));
        int index = 0;
        for (Map.Entry<Integer, Double> value : series.values().entrySet()) {
            double[] point = points.get(index++);
            String tip = String.format(
                    Locale.ROOT, "%s, %d: %.2f per second", series.name(), value.getKey(), value.getValue());
            mark(number, point[0], point[1], "<title>" + tip + "</title>");
        }
    }

    /** A shape of its own for each series. */
    private void mark(int number, double x, double y, String inside) {
        String colour = COLOURS.get(number % COLOURS.size());
        int size = SIZE + number;
        switch (number % COLOURS.size()) {
            case 0 ->
                add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\">%s</circle>", x, y, size, colour, inside);
            case 1 ->
                add(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"%s\">%s</rect>",
                        x - size, y - size, 2 * size, 2 * size, colour, inside);
            default ->
                add(
                        "<path d=\"M%.1f %.1f l%d %d h%d z\" fill=\"%s\">%s</path>",
                        x, y - size, size, 2 * size, -2 * size, colour, inside);
        }
    }

    private static String stroke(int number) {
        return "stroke=\"" + COLOURS.get(number % COLOURS.size()) + "\" stroke-width=\"" + (2 + 2 * number) + "\"";
    }

    /** Draws a value below the axis, such as zero, at its end. */
    private double y(double log) {
        double share = (Math.max(lowest, log) - lowest) / (highest - lowest);
        return TOP + HEIGHT * (1 - share);
    }

    private static String power(int decade) {
        return decade >= 0
                ? String.format(Locale.ROOT, "%,.0f", Math.pow(10, decade))
                : String.format(Locale.ROOT, "%." + -decade + "f", Math.pow(10, decade));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /**
     * A panel.
     *
     * @param title above it
     * @param horizontal what its horizontal axis shows
     * @param series in the order of the legend
     */
    record Panel(String title, String horizontal, List<Series> series) {}

    /**
     * A line.
     *
     * @param name for the legend
     * @param values by the number on the horizontal axis
     */
    record Series(String name, SortedMap<Integer, Double> values) {}
}
