package dev.election.jdbc.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.jdbc.JdbcDatabase;
import java.util.Arrays;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/**
 * The database that stores the leases.
 *
 * @param beans the beans of the application
 * @param name the name of the DataSource bean that was chosen, {@code null} if none was
 */
record DatabaseOfApplication(ConfigurableListableBeanFactory beans, @Nullable String name) {

    /**
     * Returns access through the chosen bean, or else by connections of the elections' own like those of the application, or else through
     * its only DataSource.
     */
    JdbcDatabase database() {
        JdbcConnectionDetails details = name == null ? details() : null;
        if (details != null) {
            return like(details);
        }
        NamedBeanHolder<DataSource> source = dataSource();
        return JdbcDatabase.of(source.getBeanInstance(), source.getBeanName());
    }

    private @Nullable JdbcConnectionDetails details() {
        return beans.getBeanProvider(JdbcConnectionDetails.class).getIfUnique();
    }

    private NamedBeanHolder<DataSource> dataSource() {
        return name != null ? new NamedBeanHolder<>(name, named(name)) : beans.resolveNamedBean(DataSource.class);
    }

    /** Whether the elections take connections from a pool that the application uses, too. */
    boolean isShared() {
        return name == null && details() == null;
    }

    /** How many connections the DataSource of the elections has at most; empty if that is unknown, or they open their own. */
    OptionalInt poolMaximum() {
        if (name == null && details() != null) {
            return OptionalInt.empty();
        }
        DataSourcePoolMetadata pool = new CompositeDataSourcePoolMetadataProvider(
                        beans.getBeanProvider(DataSourcePoolMetadataProvider.class).stream()
                                .toList())
                .getDataSourcePoolMetadata(dataSource().getBeanInstance());
        Integer maximum = pool == null ? null : pool.getMax();
        // Below zero there is no limit, or it is not known yet.
        return maximum == null || maximum < 0 ? OptionalInt.empty() : OptionalInt.of(maximum);
    }

    private DataSource named(String chosen) {
        String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false);
        if (!Arrays.asList(names).contains(chosen)) {
            throw ElectionConfigurationException.ofProperty(
                    "election.jdbc.data-source",
                    "There is no DataSource bean named '" + chosen + "', but there are " + Arrays.toString(names));
        }
        return beans.getBean(chosen, DataSource.class);
    }

    private static JdbcDatabase like(JdbcConnectionDetails details) {
        String driver = details.getDriverClassName();
        try {
            // The driver registers itself.
            Class.forName(driver);
        } catch (ClassNotFoundException missing) {
            throw new ElectionConfigurationException(
                    "The driver " + driver + " of the application's database is not on the class path",
                    "Add the driver, or correct spring.datasource.driver-class-name.",
                    missing);
        }
        return JdbcDatabase.at(details.getJdbcUrl(), details::getUsername, details::getPassword);
    }
}
