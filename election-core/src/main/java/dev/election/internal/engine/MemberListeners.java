package dev.election.internal.engine;

import dev.election.members.MemberEvent;
import dev.election.members.MemberListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** The listeners to the members. */
final class MemberListeners {

    private final Executor callbacks;
    private final List<Seat<MemberEvent>> seats = new CopyOnWriteArrayList<>();

    MemberListeners(Executor callbacks) {
        this.callbacks = callbacks;
    }

    void add(MemberListener listener, List<? extends MemberEvent> welcome) {
        Seat<MemberEvent> seat = new Seat<>(listener, listener::onEvent, callbacks);
        seats.add(seat);
        seat.tell(welcome);
    }

    void remove(MemberListener listener) {
        seats.removeIf(seat -> seat.isOf(listener));
    }

    void tell(List<? extends MemberEvent> events) {
        seats.forEach(seat -> seat.tell(events));
    }
}
