package dev.election.benchmarks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A time in which one node believed that it leads.
 *
 * @param node which one
 * @param from when it was asked for the first time
 * @param until when its last answer came
 */
record Belief(String node, long from, long until) {

    /** From the reports of the polls; whoever still believes does so until now. */
    static List<Belief> read(List<Report> reports, long now) {
        List<Belief> beliefs = new ArrayList<>();
        Map<String, Long> begun = new HashMap<>();
        for (Report report : reports) {
            if (report.is("LEADS")) {
                begun.put(report.node(), report.number(0));
            } else if (report.is("ENDS")) {
                Long from = begun.remove(report.node());
                if (from != null) {
                    beliefs.add(new Belief(report.node(), from, report.number(1)));
                }
            }
        }
        begun.forEach((node, from) -> beliefs.add(new Belief(node, from, now)));
        beliefs.sort(Comparator.comparingLong(Belief::from));
        return beliefs;
    }

    /** For how long two of them held at once. */
    static long overlap(List<Belief> beliefs) {
        long overlap = 0;
        for (int first = 0; first < beliefs.size(); first++) {
            for (int second = first + 1; second < beliefs.size(); second++) {
                Belief one = beliefs.get(first);
                Belief other = beliefs.get(second);
                long shared = Math.min(one.until, other.until) - Math.max(one.from, other.from);
                overlap += Math.max(0, shared);
            }
        }
        return overlap;
    }

    /** For how long none of them held, in that time. */
    static long nobody(List<Belief> beliefs, long from, long until) {
        long covered = from;
        long nobody = 0;
        for (Belief belief : beliefs) {
            nobody += Math.max(0, Math.min(belief.from, until) - covered);
            covered = Math.max(covered, belief.until);
        }
        return nobody + Math.max(0, until - covered);
    }
}
