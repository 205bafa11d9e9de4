package dev.election.autoconfigure.internal;

import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;

/**
 * Finds what an application asks of a module that is not on its class path: a property that nothing would read, an annotation that the JVM
 * ignores since its class is missing, a Quartz scheduler that nothing would keep from firing on every node. Runs before a scheduler starts.
 */
public final class MissingModules {

    /** Leaves Quartz alone on purpose, with or without the module. */
    private static final String UNGUARDED_QUARTZ = "election.quartz.enabled";

    private final ConfigurableListableBeanFactory beans;
    private final ConfigurableEnvironment environment;
    private final @Nullable ClassLoader loader;

    public MissingModules(ConfigurableListableBeanFactory beans, ConfigurableEnvironment environment) {
        this.beans = beans;
        this.environment = environment;
        this.loader = beans.getBeanClassLoader();
    }

    /** Fails if there is something of that kind. To be called when all singletons have been created. */
    public void refuse() {
        boolean leavesQuartzAlone = !environment.getProperty(UNGUARDED_QUARTZ, Boolean.class, true);
        List<Module> missing = new ArrayList<>();
        for (Module module : Module.values()) {
            if (!isPresent(module.type) && !(module == Module.QUARTZ && leavesQuartzAlone)) {
                missing.add(module);
                refuseProperties(module);
                if (module == Module.QUARTZ) {
                    refuseSchedulers();
                }
            }
        }
        if (!missing.isEmpty()) {
            refuseAnnotations(missing);
        }
    }

    private void refuseProperties(Module module) {
        ConfigurationPropertyName prefix = ConfigurationPropertyName.of(module.properties);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.containsDescendantOf(prefix) == ConfigurationPropertyState.PRESENT) {
                throw missing(
                        "The application sets properties of " + prefix + ".*, which nothing would read",
                        module,
                        "remove the properties");
            }
        }
    }

    private void refuseSchedulers() {
        if (!isPresent("org.quartz.Scheduler")) {
            return;
        }
        Class<?> schedulers = ClassUtils.resolveClassName("org.quartz.Scheduler", loader);
        for (String name : beans.getBeanNamesForType(schedulers, true, false)) {
            throw missing(
                    "The application has the Quartz scheduler '" + name + "', which would run its jobs on every node",
                    Module.QUARTZ,
                    "set " + UNGUARDED_QUARTZ + "=false if they shall run on every node");
        }
        Class<?> jobs = ClassUtils.resolveClassName("org.quartz.Job", loader);
        for (String name : beans.getBeanNamesForType(jobs, true, false)) {
            Class<?> type = beans.getType(name, false);
            if (type != null && AnnotatedElementUtils.hasAnnotation(ClassUtils.getUserClass(type), LeaderOnly.class)) {
                throw missing(
                        "The Quartz job '" + name + "' has @LeaderOnly, which nothing would read",
                        Module.QUARTZ,
                        "remove the annotation");
            }
        }
    }

    /**
     * An annotation whose class is missing can't be seen by reflection: it is looked for in the bytes of the class. Each class is read once,
     * for all modules and all beans.
     */
    private void refuseAnnotations(List<Module> missing) {
        Set<Class<?>> known = new HashSet<>();
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(name, false);
            for (Class<?> c = type == null ? null : ClassUtils.getUserClass(type);
                    c != null && isOfApplication(c) && known.add(c);
                    c = c.getSuperclass()) {
                refuseAnnotations(missing, name, text(c));
            }
        }
    }

    private static void refuseAnnotations(List<Module> missing, String bean, String text) {
        for (Module module : missing) {
            if (text.contains("L" + module.path)) {
                throw missing(
                        "The bean '" + bean + "' uses an annotation of " + module.path.replace('/', '.')
                                + "*, which nothing would read",
                        module,
                        "remove the annotation");
            }
        }
    }

    private static boolean isOfApplication(Class<?> type) {
        return type.getClassLoader() != null
                && !type.getName().startsWith("org.springframework.")
                && !type.getName().startsWith("dev.election.");
    }

    /** Names in it are modified UTF-8, and those that are looked for are ASCII: a search in Latin-1 finds them. */
    private static String text(Class<?> type) {
        try (InputStream stream = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            return stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("Could not read " + type, unreadable);
        }
    }

    private boolean isPresent(String type) {
        return ClassUtils.isPresent(type, loader);
    }

    private static ElectionConfigurationException missing(String problem, Module module, String otherwise) {
        return new ElectionConfigurationException(
                problem + ", since dev.election:" + module.artifact + " is not on the class path",
                "Add dev.election:" + module.artifact + ", or " + otherwise + ".");
    }

    /** A module that an application may lack. */
    private enum Module {
        QUARTZ("election-quartz", "election.quartz", "dev.election.quartz.EveryNode", "dev/election/quartz/"),
        FENCING("election-fencing", "election.fencing", "dev.election.fencing.Fenced", "dev/election/fencing/"),
        ROUTING("election-routing", "election.routing", "dev.election.routing.OnLeader", "dev/election/routing/"),
        BRIDGE(
                "election-redis-bridge",
                "election.bridge",
                "dev.election.redis.bridge.Bridge",
                "dev/election/redis/bridge/");

        private final String artifact;
        private final String properties;

        /** A class that it has. */
        private final String type;

        /** The folder of its annotations. */
        private final String path;

        Module(String artifact, String properties, String type, String path) {
            this.artifact = artifact;
            this.properties = properties;
            this.type = type;
            this.path = path;
        }
    }
}
