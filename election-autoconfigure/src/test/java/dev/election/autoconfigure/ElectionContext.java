package dev.election.autoconfigure;

import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.test.InMemoryLeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** Contexts with all auto-configurations of the library, as an application gets them. */
public final class ElectionContext {

    /** In the order in which the imports file names them, which is not the one in which they have to be applied. */
    public static final List<Class<?>> LISTED = listed();

    private ElectionContext() {}

    public static AutoConfigurations everything() {
        List<Class<?>> all = new ArrayList<>(LISTED);
        all.add(PropertyPlaceholderAutoConfiguration.class);
        all.add(LifecycleAutoConfiguration.class);
        all.add(DataRedisAutoConfiguration.class);
        return AutoConfigurations.of(all.toArray(Class<?>[]::new));
    }

    /** Over Redis, which is not there. */
    public static ApplicationContextRunner overRedis() {
        return new ApplicationContextRunner()
                .withConfiguration(everything())
                .withPropertyValues("spring.data.redis.port=1");
    }

    /** Over a store in memory without a ledger store, without Redis. */
    public static ApplicationContextRunner inMemory() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LISTED.toArray(Class<?>[]::new)))
                .withConfiguration(AutoConfigurations.of(
                        PropertyPlaceholderAutoConfiguration.class, LifecycleAutoConfiguration.class))
                .withBean(LeaseStore.class, ElectionContext::store);
    }

    /** Leases in memory, and no ledger store. */
    public static LeaseStore store() {
        return new ForwardingLeaseStore(new InMemoryLeaseStore(() -> System.nanoTime() / 1_000_000 + 1)) {
            @Override
            public Optional<LedgerStore> ledgerStore() {
                return Optional.empty();
            }
        };
    }

    private static List<Class<?>> listed() {
        ClassLoader loader = ElectionContext.class.getClassLoader();
        List<Class<?>> classes = new ArrayList<>();
        for (String name : ImportCandidates.load(AutoConfiguration.class, loader)) {
            if (name.startsWith("dev.election.")) {
                classes.add(ClassUtils.resolveClassName(name, loader));
            }
        }
        return List.copyOf(classes);
    }
}
