package dev.election.autoconfigure.internal;

import dev.election.members.Members;
import dev.election.spring.lifecycle.Readiness;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * Asks for the members where an application uses them: where it injects them, listens to them, or says so. Elsewhere this process is no
 * member.
 */
public final class MemberUse implements ApplicationListener<ApplicationEvent>, Ordered {

    private final Readiness readiness;
    private final ObjectProvider<Members> bean;
    private final BooleanSupplier isWanted;
    private final Consumer<Members> observers;

    /** Guarded by this. */
    private boolean isReady;

    /** Written under the lock of this. */
    private volatile @Nullable Members members;

    /**
     * Creates it.
     *
     * @param readiness of the context
     * @param bean creates them
     * @param isWanted whether the application uses them without injecting them; called when all singletons have been created
     * @param observers receives the members then
     */
    public MemberUse(
            Readiness readiness, ObjectProvider<Members> bean, BooleanSupplier isWanted, Consumer<Members> observers) {
        this.readiness = readiness;
        this.bean = bean;
        this.isWanted = isWanted;
        this.observers = observers;
    }

    /** The bean has been created, which only happens where somebody asks for it. */
    public synchronized Members created(Members asked) {
        members = asked;
        if (isReady) {
            observers.accept(asked);
        }
        return asked;
    }

    /** The members if this process uses them. */
    public Optional<Members> members() {
        return Optional.ofNullable(members);
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (!readiness.isToldBy(event)) {
            return;
        }
        if (isWanted.getAsBoolean()) {
            Members unused = bean.getObject();
        }
        synchronized (this) {
            if (!isReady && members != null) {
                observers.accept(members);
            }
            isReady = true;
        }
    }

    /** Before the elections start, so that the first request tells all. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 2;
    }
}
