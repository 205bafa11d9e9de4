package dev.election.spring.guard;

import dev.election.testing.HandDrivenElection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Everything that may stand around a bean beside the leader check. */
@Configuration(proxyBeanMethods = false)
@EnableAsync
@EnableScheduling
@EnableTransactionManagement(proxyTargetClass = true)
class Everything {

    @Bean
    ThreadPoolTaskExecutor taskExecutor() {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setThreadNamePrefix("worker-");
        return executor;
    }

    @Bean
    ThreadPoolTaskScheduler taskScheduler() {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setThreadNamePrefix("clock-");
        return scheduler;
    }

    @Bean
    Transactions transactions() {
        return new Transactions();
    }

    @Bean
    static Broker broker() {
        return new Broker();
    }

    /** As the processors of message brokers do, which are ordered and remember the bean as it is when they see it. */
    static class Broker implements BeanPostProcessor, Ordered {

        final Map<Class<?>, Object> beans = new ConcurrentHashMap<>();

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof AdviceOrderTest.Subscriber) {
                beans.put(AdviceOrderTest.Subscriber.class, bean);
            }
            return bean;
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }

    static class Transactions extends AbstractPlatformTransactionManager implements PlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        final transient List<String> trace = new CopyOnWriteArrayList<>();
        transient volatile HandDrivenElection election;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            note("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            note("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            note("rollback");
        }

        private void note(String what) {
            trace.add(what + (election == null ? "" : " with " + election.runningWork() + " running"));
        }
    }
}
