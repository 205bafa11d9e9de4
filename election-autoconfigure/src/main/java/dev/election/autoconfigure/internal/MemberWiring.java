package dev.election.autoconfigure.internal;

import dev.election.autoconfigure.internal.watch.MembersObserver;
import dev.election.members.MemberEvent;
import dev.election.members.MemberListener;
import dev.election.members.Members;
import java.util.function.Consumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;

/**
 * Connects the members with an application: publishes their events as Spring events, adds the listeners, and tells the others the address of
 * the web server.
 *
 * @param context of the application
 * @param address of this process
 * @param listeners beans that are told of events
 * @param observers what else is told of the members
 */
public record MemberWiring(
        ApplicationContext context,
        WebAddress address,
        ObjectProvider<MemberListener> listeners,
        ObjectProvider<MembersObserver> observers)
        implements Consumer<Members> {

    @Override
    public void accept(Members members) {
        members.setUri(address.uri(), address.managementUri());
        members.addListener(new Publication(context));
        listeners.orderedStream().forEach(members::addListener);
        observers.orderedStream().forEach(observer -> observer.observe(members));
    }

    private record Publication(ApplicationContext context) implements MemberListener {

        @Override
        public void onEvent(MemberEvent event) {
            context.publishEvent(event);
        }

        /** Named in the log when a listener of the application throws. */
        @Override
        public String toString() {
            return "of Spring events (@EventListener, ApplicationListener)";
        }
    }
}
