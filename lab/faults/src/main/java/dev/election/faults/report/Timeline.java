package dev.election.faults.report;

import dev.election.faults.checker.Belief;
import dev.election.faults.checker.Episode;
import dev.election.faults.checker.Verdict;
import dev.election.faults.history.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Draws who led when, and which faults there were meanwhile. */
public final class Timeline {

    private static final int LEFT = 90;
    private static final int LANE = 26;
    private static final int TOP = 24;

    /** Number of rows for the names of faults. */
    private static final int ROWS = 6;

    private static final double PIXELS_PER_SECOND = 14;
    private static final List<String> COLOURS = List.of("#2a6f97", "#c8553d", "#588157", "#8d6a9f", "#b08900");

    private final Verdict verdict;
    private final long from;
    private final long until;
    private final List<String> svg = new ArrayList<>();

    private Timeline(Verdict verdict, long from, long until) {
        this.verdict = verdict;
        this.from = from;
        this.until = until;
    }

    /** The episodes from the first to the last of these numbers. */
    public static String of(Verdict verdict, int first, int last) {
        List<Episode> shown = verdict.episodes().subList(first, last + 1);
        long second = 1_000_000_000;
        return new Timeline(
                        verdict,
                        shown.get(0).begin() - second,
                        shown.get(shown.size() - 1).healed() + 3 * second)
                .draw();
    }

    private String draw() {
        Map<String, List<Belief>> byPlace = verdict.beliefs().stream()
                .collect(Collectors.groupingBy(belief -> place(belief.node()), TreeMap::new, Collectors.toList()));
        List<Entry.Injected> faults = verdict.episodes().stream()
                .flatMap(episode -> episode.faults().stream())
                .filter(fault -> fault.from() >= from && fault.from() < until)
                .toList();
        int bottom = TOP + byPlace.size() * LANE;
        int row = 0;
        for (Entry.Injected fault : faults) {
            drawFault(fault, bottom + 30 + (row++ % ROWS) * 18, bottom);
        }
        int lane = 0;
        for (Map.Entry<String, List<Belief>> place : byPlace.entrySet()) {
            drawPlace(lane++, place.getKey(), place.getValue());
        }
        drawTime(bottom);
        int height = bottom + 30 + ROWS * 18;
        int width = (int) x(until) + 160;
        svg.add(
                0,
                String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                                + " font-family=\"sans-serif\" font-size=\"11\">",
                        width,
                        height,
                        width,
                        height));
        svg.add(1, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
        svg.add("</svg>\n");
        return String.join("\n", svg);
    }

    private void drawPlace(int lane, String name, List<Belief> beliefs) {
        int y = TOP + lane * LANE;
        add("<text x=\"6\" y=\"%d\" fill=\"#222\">%s</text>", y + 14, name);
        add("<line x1=\"%d\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#ddd\"/>", LEFT, x(until), y + 10, y + 10);
        for (Belief belief : beliefs) {
            if (belief.until() >= from && belief.from() <= until) {
                double begin = x(Math.max(from, belief.from()));
                double width = Math.max(1, x(Math.min(until, belief.until())) - begin);
                add(
                        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"18\" rx=\"2\" fill=\"%s\"><title>%s leads,"
                                + " token %d</title></rect>",
                        begin, y + 1, width, COLOURS.get(lane % COLOURS.size()), belief.node(), belief.token());
            }
        }
    }

    private void drawFault(Entry.Injected fault, int y, int bottom) {
        double begin = x(fault.from());
        long healedAt = verdict.history().all(Entry.Healed.class).stream()
                .filter(healed -> healed.number() == fault.number())
                .mapToLong(Entry.Healed::at)
                .findFirst()
                .orElse(until);
        add(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#d00000\" opacity=\"0.12\"/>",
                begin, TOP, Math.max(1.5, x(Math.min(until, healedAt)) - begin), bottom - TOP);
        add(
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#d00000\" stroke-width=\"0.7\"/>",
                begin, begin, TOP, y);
        String whom = fault.target().equals("STORE") ? "" : " " + fault.target().toLowerCase(Locale.ROOT);
        add(
                "<text x=\"%.1f\" y=\"%d\" fill=\"#900\">%s%s</text>",
                begin + 2, y, fault.fault().toLowerCase(Locale.ROOT).replace('_', ' '), whom);
    }

    private void drawTime(int y) {
        for (long at = from; at < until; at += 5_000_000_000L) {
            add("<text x=\"%.1f\" y=\"%d\" fill=\"#666\">%d s</text>", x(at), y + 12, (at - from) / 1_000_000_000);
        }
    }

    private double x(long at) {
        return LEFT + (at - from) / 1e9 * PIXELS_PER_SECOND;
    }

    private void add(String format, Object... values) {
        svg.add(String.format(Locale.ROOT, format, values));
    }

    /** The part of the id that stays through restarts. */
    private static String place(String node) {
        return node.substring(0, node.lastIndexOf('.'));
    }
}
