package dev.election.internal.members;

import dev.election.internal.threads.ListenerQueue;
import dev.election.members.MemberEvent;
import dev.election.members.MemberListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** Notifies the listeners to the members, each by a {@link ListenerQueue}. */
final class MemberListeners {

    private final Executor callbacks;
    private final List<ListenerQueue<MemberEvent>> queues = new CopyOnWriteArrayList<>();

    MemberListeners(Executor callbacks) {
        this.callbacks = callbacks;
    }

    void add(MemberListener listener, List<? extends MemberEvent> welcome) {
        ListenerQueue<MemberEvent> queue = new ListenerQueue<>(listener, listener::onEvent, callbacks);
        queues.add(queue);
        queue.tell(welcome);
    }

    void remove(MemberListener listener) {
        queues.removeIf(queue -> queue.isOf(listener));
    }

    void tell(List<? extends MemberEvent> events) {
        queues.forEach(queue -> queue.tell(events));
    }
}
