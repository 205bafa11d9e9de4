package dev.election.fencing.autoconfigure;

import dev.election.ElectionConfigurationException;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The database whose transactions are fenced.
 *
 * @param beans the context
 * @param databases the databases of the context
 * @param name the name of the bean that was chosen, {@code null} for the only or the primary one
 */
record FencedDatabase(
        ConfigurableListableBeanFactory beans, ObjectProvider<DataSource> databases, @Nullable String name)
        implements Supplier<DataSource> {

    private static final String PROPERTY = "election.fencing.jdbc.data-source";

    @Override
    public DataSource get() {
        List<String> names = List.of(beans.getBeanNamesForType(DataSource.class, true, false));
        if (name != null && !name.isEmpty()) {
            if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
                throw ElectionConfigurationException.ofProperty(
                        PROPERTY, "There is no DataSource bean '" + name + "'; there are " + names);
            }
            return beans.getBean(name, DataSource.class);
        }
        DataSource only = databases.getIfUnique();
        if (only != null) {
            return only;
        }
        throw names.isEmpty()
                ? ElectionConfigurationException.ofProperty(
                        PROPERTY,
                        "The application has @Fenced methods but no DataSource bean, so there is no transaction that could be"
                                + " checked")
                : new ElectionConfigurationException(
                        "The application has @Fenced methods and several DataSource beans, none of which is the primary one: "
                                + names,
                        "Name the one with the fenced transactions in " + PROPERTY + ", or mark it @Primary.");
    }
}
