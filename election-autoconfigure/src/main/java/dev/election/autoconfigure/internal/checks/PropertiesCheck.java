package dev.election.autoconfigure.internal.checks;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.autoconfigure.internal.checks.DescribedProperties.Described;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ClassUtils;

/**
 * Finds properties of the elections without effect: no property has that name, or nothing reads it in this application. The prefix may be the
 * application's own, too: what its {@code @ConfigurationProperties} bind is left out, and so are environment variables that are like no property.
 */
public final class PropertiesCheck implements Check {

    private final ApplicationContext context;
    private final List<Finding> ofValues;

    /**
     * Creates the check.
     *
     * @param context the application
     * @param ofValues what is wrong with values
     */
    public PropertiesCheck(ApplicationContext context, List<Finding> ofValues) {
        this.context = context;
        this.ofValues = List.copyOf(ofValues);
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        DescribedProperties described = described();
        List<Bound> bound = bound();
        List<ConfigurationPropertyName> own = bound.stream()
                .filter(one -> !described.areOf(one.type))
                .map(Bound::prefix)
                .toList();
        Map<ConfigurationPropertyName, Finding> findings = new LinkedHashMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(context.getEnvironment())) {
            if (source instanceof IterableConfigurationPropertySource named) {
                named.stream()
                        .filter(DescribedProperties.PREFIX::isAncestorOf)
                        .filter(name ->
                                own.stream().noneMatch(prefix -> prefix.equals(name) || prefix.isAncestorOf(name)))
                        .forEach(name -> judge(named, name, described, bound)
                                .ifPresent(finding -> findings.putIfAbsent(name, finding)));
            }
        }
        List<Finding> all = new ArrayList<>(findings.values());
        all.addAll(ofValues);
        return CompletableFuture.completedFuture(all);
    }

    private DescribedProperties described() {
        try {
            return DescribedProperties.read(PropertiesCheck.class.getClassLoader());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The configuration metadata could not be read", unreadable);
        }
    }

    private List<Bound> bound() {
        List<Bound> bound = new ArrayList<>();
        for (String name : context.getBeanNamesForAnnotation(ConfigurationProperties.class)) {
            Class<?> type = context.getType(name, false);
            ConfigurationProperties found = context.findAnnotationOnBean(name, ConfigurationProperties.class, false);
            ConfigurationPropertyName prefix =
                    found == null ? null : ConfigurationPropertyName.ofIfValid(found.prefix());
            if (type != null && prefix != null) {
                bound.add(new Bound(ClassUtils.getUserClass(type).getName(), prefix));
            }
        }
        return bound;
    }

    private static Optional<Finding> judge(
            ConfigurationPropertySource source,
            ConfigurationPropertyName name,
            DescribedProperties described,
            List<Bound> bound) {
        if (described.all().isEmpty()) {
            // Such as in a native image.
            return Optional.empty();
        }
        boolean isVariable = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
        Optional<Described> known = described.find(name, isVariable);
        String set = "The property " + name + " is set (" + origin(source, name) + "), but ";
        if (known.isPresent()) {
            String type = known.get().boundTo();
            // One that is bound to no class is read by its name.
            return type.isEmpty() || bound.stream().anyMatch(one -> one.type.equals(type))
                    ? Optional.empty()
                    : Optional.of(new Finding(
                            set + "nothing in this application reads it", "Add what it is a setting of, or remove it"));
        }
        Optional<ConfigurationPropertyName> nearest = described.nearest(name);
        return nearest.isEmpty() && isVariable
                ? Optional.empty()
                : Optional.of(new Finding(
                        set + "the elections have no property of that name",
                        nearest.map(near -> "Set " + near + " instead").orElse("Remove it")
                                + ", unless it is the application's own"));
    }

    private static String origin(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        return String.valueOf(property == null || property.getOrigin() == null ? source : property.getOrigin());
    }

    /**
     * A bean with {@code @ConfigurationProperties}.
     *
     * @param type the name of its class
     * @param prefix of its properties
     */
    private record Bound(String type, ConfigurationPropertyName prefix) {}
}
