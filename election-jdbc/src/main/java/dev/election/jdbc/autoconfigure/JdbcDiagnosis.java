package dev.election.jdbc.autoconfigure;

import dev.election.autoconfigure.store.MissingStore;
import dev.election.autoconfigure.store.StoreDiagnosis;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Says why a context has no leases in a database. */
final class JdbcDiagnosis implements StoreDiagnosis {

    @Override
    public String store() {
        return ElectionJdbcAutoConfiguration.STORE;
    }

    @Override
    public MissingStore missing(ListableBeanFactory beans) {
        if (!ClassUtils.isPresent(
                "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails",
                JdbcDiagnosis.class.getClassLoader())) {
            return new MissingStore(
                    "the module spring-boot-jdbc of Spring Boot is not on the class path",
                    "Add spring-boot-starter-jdbc and the driver of your database.");
        }
        List<String> sources =
                List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false));
        return sources.isEmpty()
                ? new MissingStore(
                        "there is no DataSource bean",
                        "Set spring.datasource.url and add the driver of your database, or define a DataSource.")
                : new MissingStore(
                        "none of the DataSource beans " + sources + " is the primary one",
                        "Mark one of them @Primary, or name one in election.jdbc.data-source.");
    }
}
