package dev.election.quartz.internal.trigger;

import dev.election.FencingToken;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.quartz.TriggerKey;

/** The names of schedulers, triggers and running jobs in the ledger, which are unique there for all names in Quartz. */
public final class LedgerNames {

    private LedgerNames() {}

    public static String scheduler(String name) {
        return "quartz/" + encoded(name);
    }

    public static String schedule(TriggerKey trigger) {
        return encoded(trigger.getGroup()) + "/" + encoded(trigger.getName());
    }

    /** The name of a running job. The ids of firings are unique in one process only, and tokens in all. */
    public static String running(FencingToken token, String fireInstanceId) {
        return encoded(token + "-" + fireInstanceId);
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }
}
