package dev.election.testing;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.function.Consumer;

/** Does that with each event. */
public record EachEvent(Consumer<LeadershipEvent> action) implements LeadershipListener {

    @Override
    public void onEvent(LeadershipEvent event) {
        action.accept(event);
    }
}
