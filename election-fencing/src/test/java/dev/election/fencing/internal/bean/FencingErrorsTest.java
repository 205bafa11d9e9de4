package dev.election.fencing.internal.bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import dev.election.fencing.Fenced;
import dev.election.fencing.internal.transaction.Accounts;
import dev.election.fencing.internal.transaction.FencingDatabase;
import dev.election.fencing.internal.transaction.FencingNode;
import dev.election.testing.HandDrivenElections;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** What can't be fenced is an error, at the start where that can be known, and otherwise at the call. */
class FencingErrorsTest {

    @AutoClose
    private final FencingDatabase database = FencingDatabase.h2();

    @Test
    void a_method_that_has_no_transaction_or_may_have_none_or_only_reads_is_refused() {
        assertThat(failure(NoTransaction.class)).contains("NoTransaction.work()", "has no transaction in its proxy");
        assertThat(failure(OneWithout.class)).contains("OneWithout.without()", "has no transaction in its proxy");
        assertThat(failure(ReadOnly.class)).contains("read-only");
        assertThat(failure(Supports.class)).contains("may run without a transaction");
        assertThat(failure(Never.class)).contains("may run without a transaction");
        assertThat(failure(Reactive.class)).contains("a reactive method has no transaction of JDBC");
        assertThat(failure(TypeWithoutTransaction.class)).contains("work()", "has no transaction");
    }

    @Test
    void a_method_that_no_proxy_intercepts_is_refused() {
        assertThat(failure(Private.class)).contains("Private.work()", "a private method can't be intercepted");
        assertThat(failure(Static.class)).contains("Static.work()", "a static method can't be intercepted");
        assertThat(failure(Final.class)).contains("Final.work()", "a final method can't be intercepted");
        assertThat(failure(Inherited.class)).contains("Private.work()", "a private method can't be intercepted");
    }

    @Test
    void a_resource_or_an_election_without_a_valid_name_is_refused() {
        assertThat(failure(NoName.class)).contains("the resource has no name");
        assertThat(failure(Padded.class)).contains("begins or ends with a space");
        assertThat(failure(Unresolved.class)).contains("no value for the resource name '${app.missing}'");
        assertThat(failure(BadElection.class)).contains("'a b' is not a valid election name");
        assertThat(failure(TwoElections.class)).contains("'same'", "tokens of two elections can't be compared");
        assertThat(failure(Placeholder.class, "app.resource=" + "x".repeat(256)))
                .contains("has 256 characters");
    }

    @Test
    void an_error_says_what_to_do() {
        assertThat(catchThrowable(() -> node(NoTransaction.class)))
                .rootCause()
                .isInstanceOfSatisfying(ElectionConfigurationException.class, refused -> assertThat(refused.getAction())
                        .startsWith("Add @Transactional to the method"));
    }

    @Test
    void names_are_resolved() throws Exception {
        try (FencingNode node =
                new FencingNode(database.pool(), Map.of("app.resource", "invoices"), Placeholder.class)) {
            node.lead(3).work(() -> node.bean(Placeholder.class).work());
            assertThat(database.jdbc().queryForObject("select resource from election_fence", String.class))
                    .isEqualTo("invoices");
        }
    }

    @Test
    void the_fence_of_a_type_covers_its_methods_and_that_of_an_interface_covers_its_implementation() throws Exception {
        try (FencingNode node = node(WholeType.class, Implementation.class)) {
            node.lead(3).work(() -> {
                node.bean(WholeType.class).one();
                node.bean(Implementation.class).work();
            });
            assertThat(database.jdbc().queryForList("select resource from election_fence order by resource"))
                    .extracting(row -> row.get("resource"))
                    .containsExactly("of the interface", "of the type");
        }
    }

    @Test
    void the_fence_lies_directly_around_the_transaction_and_within_the_guard_whatever_its_order_is() throws Exception {
        for (Class<?> order : List.of(OrderedFirst.class, OrderedLast.class, UserAdvice.class)) {
            try (FencingNode node = node(order, Guarded.class)) {
                Advisor[] advisors = ((Advised) node.bean(Guarded.class)).getAdvisors();
                int transaction = Arrays.stream(advisors)
                        .map(Advisor::getAdvice)
                        .map(TransactionInterceptor.class::isInstance)
                        .toList()
                        .indexOf(true);
                assertThat(partAt(advisors[transaction - 1])).isEqualTo(FenceAdvisor.Part.RAISE);
                assertThat(partAt(advisors[transaction + 1])).isEqualTo(FenceAdvisor.Part.JOIN);
                assertThat(advisors[0].getClass().getSimpleName()).isEqualTo("LeaderGuardAdvisor");
                node.lead(4);
                node.bean(Guarded.class).work();
                assertThat(database.jdbc().queryForObject("select token from election_fence", Long.class))
                        .isGreaterThanOrEqualTo(4);
            }
        }
    }

    private static FenceAdvisor.@Nullable Part partAt(Advisor advisor) {
        return advisor instanceof FenceAdvisor fence ? fence.part() : null;
    }

    @Test
    void advice_that_is_moved_afterwards_is_noticed_at_the_start() {
        assertThat(failure(new Class<?>[] {Works.class, Mover.class}))
                .contains("the check lies outside of the transaction")
                .contains("another post-processor");
    }

    @Test
    void a_bean_that_is_created_too_early_is_noticed_at_the_start() {
        assertThat(failure(new Class<?>[] {Works.class, Eager.class}))
                .contains("the bean is created before the post-processor that adds the check");
    }

    @Test
    void a_bean_that_others_get_before_it_is_complete_is_fenced() throws Exception {
        try (FencingNode node = node(Circular.class)) {
            node.lead(4).work(() -> node.bean(CircularOne.class).work());
            assertThat(database.jdbc().queryForObject("select token from election_fence", Long.class))
                    .isEqualTo(4);
        }
    }

    @Test
    void a_call_outside_leader_work_or_within_that_of_another_election_is_refused() throws Exception {
        try (FencingNode node = node(Works.class, OfOtherElection.class)) {
            Works works = node.bean(Works.class);
            assertThatThrownBy(works::work)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "The fenced method Works.work was called outside leader work of the election 'default'")
                    .hasMessageContaining("Call it from a @LeaderOnly method");
            node.lead(3);
            assertThatThrownBy(() ->
                            node.work(() -> node.bean(OfOtherElection.class).work()))
                    .hasMessageContaining("outside leader work of the election 'other'");
            assertThat(node.bean(HandDrivenElections.class).find("other")).isEmpty();
        }
    }

    @Test
    void a_call_that_joins_a_read_only_transaction_is_refused() throws Exception {
        Accounts.createTables(database);
        try (FencingNode node = node(Accounts.class)) {
            assertThatThrownBy(() ->
                            node.lead(3).work(() -> node.bean(Accounts.class).readOnly()))
                    .hasMessageContaining("was called within a read-only transaction");
        }
    }

    @Test
    void a_transaction_of_another_database_is_refused_even_if_it_has_a_connection_of_this_one() throws Exception {
        try (FencingDatabase second = FencingDatabase.h2();
                FencingNode node = node(Works.class, OtherManager.class)) {
            PlatformTransactionManager other = new JdbcTransactionManager(second.pool());
            OtherManager works = node.bean(OtherManager.class);
            works.managedBy(other);
            assertThatThrownBy(() -> node.lead(3).work(works::work))
                    .hasMessageContaining("is not one of the data source of the table election_fence");

            assertThatThrownBy(() -> node.work(() -> new TransactionTemplate(other).executeWithoutResult(status -> {
                        // Binds a connection that commits each statement by itself.
                        new JdbcTemplate(database.pool()).queryForObject("select 1", Integer.class);
                        works.work();
                    })))
                    .hasMessageContaining("is not one of the data source of the table election_fence");
        }
    }

    @Test
    void a_transaction_manager_without_synchronization_is_refused() throws Exception {
        try (FencingNode node = node(Works.class)) {
            JdbcTransactionManager manager = (JdbcTransactionManager) node.bean(PlatformTransactionManager.class);
            manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
            assertThatThrownBy(
                            () -> node.lead(3).work(() -> node.bean(Works.class).work()))
                    .hasMessageContaining("transaction synchronization");
        }
    }

    private FencingNode node(Class<?>... beans) {
        return new FencingNode(database.pool(), beans);
    }

    private String failure(Class<?> bean, String... properties) {
        return failure(new Class<?>[] {bean}, properties);
    }

    private String failure(Class<?>[] beans, String... properties) {
        Map<String, String> settings = properties.length == 0
                ? Map.of()
                : Map.of(properties[0].split("=")[0], properties[0].split("=")[1]);
        Throwable failure = catchThrowable(() -> new FencingNode(database.pool(), settings, beans).close());
        assertThat(failure).as("failure of the start").isNotNull();
        return String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
    }

    static class NoTransaction {
        @Fenced(resource = "r")
        public void work() {}
    }

    static class OneWithout {
        @Transactional
        @Fenced(resource = "r")
        public void with() {}

        @Fenced(resource = "r")
        public void without() {}
    }

    static class ReadOnly {
        @Transactional(readOnly = true)
        @Fenced(resource = "r")
        public void work() {}
    }

    static class Supports {
        @Transactional(propagation = Propagation.SUPPORTS)
        @Fenced(resource = "r")
        public void work() {}
    }

    static class Never {
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @Fenced(resource = "r")
        public void work() {}
    }

    static class Reactive {
        @Transactional
        @Fenced(resource = "r")
        public Mono<Void> work() {
            return Mono.empty();
        }
    }

    @Fenced(resource = "r")
    static class TypeWithoutTransaction {
        public void work() {}
    }

    static class Private {
        @Transactional
        public void other() {
            work();
        }

        @Transactional
        @Fenced(resource = "r")
        private void work() {}
    }

    static class Inherited extends Private {}

    static class Static {
        @Transactional
        @Fenced(resource = "r")
        public static void work() {}

        @Transactional
        public void other() {}
    }

    static class Final {
        @Transactional
        @Fenced(resource = "r")
        public final void work() {}
    }

    static class NoName {
        @Transactional
        @Fenced(resource = " ")
        public void work() {}
    }

    static class Padded {
        @Transactional
        @Fenced(resource = "r ")
        public void work() {}
    }

    static class Unresolved {
        @Transactional
        @Fenced(resource = "${app.missing}")
        public void work() {}
    }

    static class Placeholder {
        @Transactional
        @Fenced(resource = "${app.resource}")
        public void work() {}
    }

    static class BadElection {
        @Transactional
        @Fenced(resource = "r", election = "a b")
        public void work() {}
    }

    static class TwoElections {
        @Transactional
        @Fenced(resource = "same", election = "one")
        public void one() {}

        @Transactional
        @Fenced(resource = "same", election = "two")
        public void two() {}
    }

    static class Works {
        @Transactional
        @Fenced(resource = "works")
        public void work() {}
    }

    static class OfOtherElection {
        @Transactional
        @Fenced(resource = "of other", election = "other")
        public void work() {}
    }

    @Transactional
    @Fenced(resource = "of the type")
    static class WholeType {
        public void one() {}
    }

    interface Face {
        @Fenced(resource = "of the interface")
        void work();
    }

    static class Implementation implements Face {
        @Override
        @Transactional
        public void work() {}
    }

    static class Guarded {
        @LeaderOnly
        @Transactional
        @Fenced(resource = "guarded")
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)
    static class OrderedFirst {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class OrderedLast {}

    /** Advice around all methods, whose place beside that of transactions is not said. */
    @Configuration(proxyBeanMethods = false)
    static class UserAdvice {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor aroundWork() {
            NameMatchMethodPointcutAdvisor advisor =
                    new NameMatchMethodPointcutAdvisor((MethodInterceptor) MethodInvocation::proceed);
            advisor.addMethodName("work");
            advisor.setClassFilter(Guarded.class::equals);
            return advisor;
        }
    }

    /** Applied after all others, as those for merged definitions are, and puts what comes last first. */
    static class Mover implements MergedBeanDefinitionPostProcessor {
        @Override
        public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String beanName) {}

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (bean instanceof Works && bean instanceof Advised advised) {
                Advisor last = advised.getAdvisors()[advised.getAdvisors().length - 1];
                advised.removeAdvisor(last);
                advised.addAdvisor(0, last);
            }
            return bean;
        }
    }

    /** A post-processor that needs the bean. */
    @Configuration(proxyBeanMethods = false)
    static class Eager {
        @Bean
        static EagerProcessor eager(Works works) {
            assertThat(works).isNotNull();
            return new EagerProcessor();
        }
    }

    static class EagerProcessor implements BeanPostProcessor, Ordered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Circular {
        @Bean
        static CircularOne one() {
            return new CircularOne();
        }

        @Bean
        static CircularTwo two() {
            return new CircularTwo();
        }
    }

    static class CircularOne {
        @Autowired
        private @Nullable CircularTwo two;

        @Transactional
        @Fenced(resource = "circular")
        public void work() {
            assertThat(two).isNotNull();
        }
    }

    static class CircularTwo {
        @Autowired
        private @Nullable CircularOne one;

        @Nullable
        CircularOne one() {
            return one;
        }
    }

    /** Its transaction is that of the manager that a test names. */
    static class OtherManager {

        private final DefaultListableBeanFactory beans;

        OtherManager(DefaultListableBeanFactory beans) {
            this.beans = beans;
        }

        void managedBy(PlatformTransactionManager manager) {
            beans.registerSingleton("other", manager);
        }

        @Transactional("other")
        @Fenced(resource = "other database")
        public void work() {}
    }
}
