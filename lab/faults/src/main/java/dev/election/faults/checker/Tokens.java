package dev.election.faults.checker;

import dev.election.faults.history.Entry;
import dev.election.faults.history.Entry.Write.Outcome;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Whether tokens rise with each leadership, and what resources made of them. */
final class Tokens {

    private Tokens() {}

    /** Beliefs must be in the order of their begin. */
    static List<Violation> notRising(List<Belief> beliefs) {
        List<Violation> violations = new ArrayList<>();
        for (int i = 0; i < beliefs.size(); i++) {
            Belief belief = beliefs.get(i);
            long highest = 0;
            for (Belief before : beliefs.subList(0, i)) {
                boolean isSame = before.node().equals(belief.node()) && before.token() == belief.token();
                if (!isSame && before.first().answeredAt() < belief.first().askedAt()) {
                    highest = Math.max(highest, before.token());
                }
            }
            if (belief.token() <= highest) {
                violations.add(new Violation.TokenNotRising(belief, highest));
            }
        }
        return violations;
    }

    static List<Violation> brokenFences(History history) {
        Map<String, List<Entry.Write>> accepted = history.all(Entry.Write.class).stream()
                .filter(write -> write.outcome() == Outcome.APPLIED)
                .collect(Collectors.groupingBy(Entry.Write::resource, TreeMap::new, Collectors.toList()));
        List<Violation> violations = new ArrayList<>();
        accepted.forEach((resource, writes) -> {
            List<Entry.Write> inOrder = writes.stream()
                    .sorted(Comparator.comparingLong(Entry.Write::sequence))
                    .toList();
            for (int i = 1; i < inOrder.size(); i++) {
                Entry.Write before = inOrder.get(i - 1);
                Entry.Write write = inOrder.get(i);
                if (write.token() < before.token()) {
                    violations.add(new Violation.FenceBroken(
                            resource, write.sequence(), "token " + write.token() + " after " + before.token()));
                } else if (write.sequence() == before.sequence()) {
                    violations.add(new Violation.FenceBroken(resource, write.sequence(), "counted twice"));
                }
            }
        });
        return violations;
    }
}
