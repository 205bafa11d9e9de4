package dev.election.internal.members;

import dev.election.internal.election.ElectionRunner;
import dev.election.internal.election.Identity;
import dev.election.internal.engine.EnginePart;
import dev.election.internal.requests.EngineContext;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of candidates that some elections need before this process campaigns in them, once after each start. Used on the loop only, unless
 * stated otherwise.
 */
public final class MinimumMembers implements EnginePart, Membership.LifecycleListener {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final Map<String, Integer> minimums;
    private final Membership membership;
    private final EngineContext context;
    private final Map<String, ElectionRunner> runners = new HashMap<>();

    /** The elections that wait, and what for; empty before that is known. Written on the loop only. */
    private final Map<String, String> waiting = new ConcurrentHashMap<>();

    /** @param minimums the numbers of candidates, by the name of the election */
    public MinimumMembers(Map<String, Integer> minimums, Membership membership, EngineContext context) {
        this.minimums = minimums;
        this.membership = membership;
        this.context = context;
        if (!minimums.isEmpty()) {
            membership.addLifecycleListener(this);
            membership.request();
        }
    }

    /** Returns what an election waits for, empty if it does not wait. On any thread. */
    public Optional<String> waitsFor(String election) {
        return Optional.ofNullable(waiting.get(election)).filter(text -> !text.isEmpty());
    }

    /** Whether the members show so many candidates of the election as it needs. On any thread. */
    public boolean areHere(String election) {
        Integer minimum = minimums.get(election);
        return minimum == null || here(election) >= minimum;
    }

    /** Counts nodes: a process that was killed is a member for a while beside the one that has taken its place. */
    private long here(String election) {
        Set<MemberRole> roles = Set.of(MemberRole.LEADER, MemberRole.CANDIDATE);
        return membership
                .known()
                .where(member -> roles.contains(member.roles().getOrDefault(election, MemberRole.OBSERVER)))
                .stream()
                .map(Member::id)
                .distinct()
                .count();
    }

    @Override
    public void start(Identity identity) {
        runners.values().forEach(this::hold);
    }

    @Override
    public void add(ElectionRunner runner) {
        if (minimums.containsKey(runner.name())) {
            runners.put(runner.name(), runner);
            hold(runner);
        }
    }

    private void hold(ElectionRunner runner) {
        waiting.put(runner.name(), "");
        runner.awaitMembers();
    }

    @Override
    public void seen() {
        waiting.keySet().forEach(this::look);
    }

    private void look(String election) {
        ElectionRunner runner = runners.get(election);
        if (runner == null || membership.own().roles().get(election) != MemberRole.CANDIDATE) {
            waiting.put(election, "");
        } else if (!membership.known().isComplete()) {
            waiting.put(election, "waits for " + minimums.get(election) + " members, which the store has not told yet");
        } else if (areHere(election)) {
            waiting.remove(election);
            context.conversation().ask(runner::campaign);
        } else {
            String text = "waits for " + minimums.get(election) + " members, " + here(election) + " are here";
            if (!text.equals(waiting.put(election, text))) {
                log.info("This node does not campaign in the election '{}' yet: it {}", election, text);
            }
        }
    }

    @Override
    public void left() {
        waiting.replaceAll((election, text) -> "");
    }
}
