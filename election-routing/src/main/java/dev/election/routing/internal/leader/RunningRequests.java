package dev.election.routing.internal.leader;

import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Ends the requests whose responses go on when the leadership under which they began has ended. */
public final class RunningRequests {

    private final Map<LeaderWork, Runnable> ends = new ConcurrentHashMap<>();

    /** Runs that when the leadership of the work has ended, unless the request is {@link #ended} before. */
    public void begun(LeaderWork work, Runnable end) {
        ends.put(work, end);
        if (!work.isCurrent() && ends.remove(work) != null) {
            end.run();
        }
    }

    /** The request has ended. */
    public void ended(LeaderWork work) {
        ends.remove(work);
        work.close();
    }

    /** Hears of the end of leaderships. No bean: an application with one would take part in the default election. */
    public LeadershipListener listener() {
        return new LeadershipListener() {
            @Override
            public void onLost(LeadershipEvent.Lost event) {
                lost(event);
            }
        };
    }

    private void lost(LeadershipEvent.Lost event) {
        ends.forEach((work, end) -> {
            if (work.token().equals(event.token())
                    && work.election().name().equals(event.election())
                    && ends.remove(work) != null) {
                end.run();
            }
        });
    }
}
