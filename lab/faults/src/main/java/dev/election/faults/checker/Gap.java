package dev.election.faults.checker;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.List;

/**
 * A time in which no process believed to lead.
 *
 * @param from when the last one did
 * @param until when the next one did
 */
public record Gap(long from, long until) {

    /**
     * Beliefs must be in the order of their begin. Before the first there is no gap: nobody has started yet. Nor after the faults,
     * when leadership goes round by request.
     */
    static List<Gap> between(List<Belief> beliefs, History history) {
        List<Gap> gaps = new ArrayList<>();
        long end = history.all(Entry.Mustered.class).stream()
                .mapToLong(Entry.Mustered::at)
                .findFirst()
                .orElseGet(history::end);
        long covered = beliefs.isEmpty() ? history.about().at() : beliefs.get(0).from();
        for (Belief belief : beliefs) {
            if (belief.from() > covered && belief.from() <= end) {
                gaps.add(new Gap(covered, belief.from()));
            }
            covered = Math.max(covered, belief.until());
        }
        // The last answer before the end may have gone unsaid.
        if (end - covered > Windows.UNSAID) {
            gaps.add(new Gap(covered, end));
        }
        return gaps;
    }

    public long nanos() {
        return until - from;
    }
}
