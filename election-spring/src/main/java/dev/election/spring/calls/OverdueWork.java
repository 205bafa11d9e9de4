package dev.election.spring.calls;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.support.ReadableDuration;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that runs for too long: how messages name it, and how leadership is given up so that another node does the next work. */
public final class OverdueWork {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final Supplier<String> node;

    /** The elections whose leadership is being given up, which may take a drain time. */
    private final Set<String> leaving = ConcurrentHashMap.newKeySet();

    /**
     * Gives up nothing yet.
     *
     * @param node the name of this node; called when leadership has been given up
     */
    public OverdueWork(Supplier<String> node) {
        this.node = node;
    }

    /** Names the work of a guarded method in messages. */
    public static String nameOf(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    /**
     * Abdicates from an election, unless an abdication over other work is under way. There is no drain time, within which such work would
     * not end.
     *
     * @param election whose leadership is given up
     * @param what the name of the work
     * @param age for how long it has been running
     * @param why the bound that it has exceeded, as the rest of a sentence
     * @param cooldown how long this node stays out of the election
     */
    public void abdicate(Election election, String what, Duration age, String why, Duration cooldown) {
        if (!leaving.add(election.name())) {
            return;
        }
        // Logged when it is done: a stop that is under way may go on for its drain time.
        CompletionStage<AbdicationOutcome> unused = election.abdicate(
                        Abdication.toAnyone().drainingFor(Duration.ZERO).coolingDownFor(cooldown))
                .whenComplete((outcome, failure) -> {
                    leaving.remove(election.name());
                    log.warn(
                            "{} has given up the leadership of '{}' ({}): {} had been running for {}, {}",
                            node.get(),
                            election.name(),
                            outcome,
                            what,
                            ReadableDuration.of(age),
                            why);
                });
    }
}
