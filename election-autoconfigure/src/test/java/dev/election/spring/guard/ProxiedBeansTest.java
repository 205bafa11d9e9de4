package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderOnly;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

class ProxiedBeansTest {

    private static final List<String> TRACE = new ArrayList<>();

    private final GuardContext context = new GuardContext();

    @Test
    void a_bean_without_guards_is_left_alone() {
        context.with(Beans.class).run(started -> assertThat(AopUtils.isAopProxy(started.getBean("plain")))
                .isFalse());
    }

    @Test
    void every_instance_of_a_prototype_is_guarded() {
        context.with(Beans.class).run(started -> {
            assertThat(started.getBean("prototype", Work.class).work()).isNull();
            assertThat(started.getBean("prototype", Work.class).work()).isNull();
        });
    }

    @Test
    void a_bean_behind_an_interface_proxy_is_guarded_even_if_its_class_is_final() {
        guarded("byInterface", proxy -> assertThat(Proxy.isProxyClass(proxy.getClass()))
                .isTrue());
    }

    @Test
    void the_check_joins_the_proxy_that_is_there_and_comes_first() {
        guarded("byClass", proxy -> assertThat(((Advised) proxy).getAdvisors()[0])
                .isInstanceOf(LeaderGuardAdvisor.class));
    }

    @Test
    void a_frozen_proxy_of_a_class_is_wrapped() {
        guarded("frozenByClass", proxy -> {});
    }

    @Test
    void a_frozen_proxy_of_an_interface_is_wrapped() {
        guarded("frozenByInterface", proxy -> {});
    }

    @Test
    void a_bean_that_is_nothing_but_a_proxy_is_guarded() {
        guarded("bare", proxy -> {});
    }

    @Test
    void a_guard_on_an_interface_that_only_the_proxy_has_holds() {
        context.with(Repository.class).run(started -> {
            Things things = started.getBean(Things.class);
            Store<String> general = things;
            assertThat(things.clear()).isNull();
            assertThat(general.clear()).isNull();
            assertThat(things.remove("a")).isNull();
            assertThat(general.remove("a")).isNull();
            assertThat(things.find("a")).isEqualTo("found");
            context.elections.lead("default");
            assertThat(things.clear()).isEqualTo("cleared");
            assertThat(general.remove("a")).isEqualTo("removed");
            assertThat(context.elections.get("default").admissions()).isEqualTo(2);
        });
    }

    @Test
    void two_proxies_of_one_class_have_the_guards_of_their_own_interfaces() {
        context.with(Repository.class).run(started -> {
            assertThat(started.getBean(Things.class).find("a")).isEqualTo("found");
            assertThat(started.getBean(MarkedThings.class).find("a")).isNull();
        });
    }

    @Test
    void jobs_in_a_configuration_class_are_guarded_and_its_bean_methods_are_not() {
        context.with(WithJobs.class).run(started -> {
            assertThat(started.getBean(WithJobs.class).job()).isNull();
            assertThat(started.getBean("made")).isEqualTo("made");
            assertThat(started.getBean("madeStatically")).isEqualTo("made");
        });
    }

    /** Skips, then leads, and sees the advice of the bean's own proxy only as the leader. */
    private void guarded(String name, Consumer<Object> shape) {
        context.with(Beans.class).run(started -> {
            TRACE.clear();
            Work bean = started.getBean(name, Work.class);
            assertThat(bean.work()).isNull();
            assertThat(TRACE).isEmpty();
            context.elections.lead("default");
            assertThat(bean.work()).isEqualTo("done");
            assertThat(TRACE).containsExactly(name);
            assertThat(context.elections.get("default").admissions()).isOne();
            shape.accept(bean);
        });
    }

    interface Work {
        @LeaderOnly
        String work();
    }

    static class Worker implements Work {
        @Override
        public String work() {
            return "done";
        }
    }

    static final class FinalWorker implements Work {
        @Override
        public String work() {
            return "done";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        StringBuilder plain() {
            return new StringBuilder();
        }

        @Bean
        @Scope("prototype")
        Work prototype() {
            return new Worker();
        }

        @Bean
        Work byInterface() {
            return proxy("byInterface", new FinalWorker(), false, false);
        }

        @Bean
        Work byClass() {
            return proxy("byClass", new Worker(), true, false);
        }

        @Bean
        Work frozenByClass() {
            return proxy("frozenByClass", new Worker(), true, true);
        }

        @Bean
        Work frozenByInterface() {
            return proxy("frozenByInterface", new FinalWorker(), false, true);
        }

        @Bean
        Work bare() {
            return (Work) Proxy.newProxyInstance(
                    Work.class.getClassLoader(), new Class<?>[] {Work.class}, (proxy, method, arguments) -> {
                        if (method.getDeclaringClass() == Object.class) {
                            return method.getName().equals("hashCode") ? (Object) 1 : "bare";
                        }
                        TRACE.add("bare");
                        return "done";
                    });
        }

        private static Work proxy(String name, Work target, boolean ofClass, boolean frozen) {
            ProxyFactory factory = new ProxyFactory(target);
            factory.setProxyTargetClass(ofClass);
            factory.addAdvice((MethodInterceptor) invocation -> {
                TRACE.add(name);
                return invocation.proceed();
            });
            factory.setFrozen(frozen);
            return (Work) factory.getProxy();
        }
    }

    @Configuration
    static class WithJobs {

        @LeaderOnly
        public String job() {
            return "done";
        }

        @Bean
        public String made() {
            return "made";
        }

        @Bean
        public static String madeStatically() {
            return "made";
        }
    }

    interface Store<T> {
        String clear();

        String remove(T thing);

        String find(T thing);
    }

    interface Things extends Store<String> {
        @Override
        @LeaderOnly
        String clear();

        @Override
        @LeaderOnly
        String remove(String thing);
    }

    @LeaderOnly
    interface MarkedThings extends Store<String> {}

    static class SimpleStore<T> implements Store<T> {
        @Override
        public String clear() {
            return "cleared";
        }

        @Override
        public String remove(T thing) {
            return "removed";
        }

        @Override
        public String find(T thing) {
            return "found";
        }
    }

    /** Made as Spring Data makes them. */
    record Repositories<T>(Class<T> type) implements FactoryBean<T> {

        @Override
        public T getObject() {
            ProxyFactory factory = new ProxyFactory();
            factory.setTarget(new SimpleStore<String>());
            factory.setInterfaces(Store.class, type);
            factory.addAdvice((MethodInterceptor) invocation -> {
                String name = invocation.getMethod().getName();
                return SimpleStore.class
                        .getMethod(name, name.equals("clear") ? new Class<?>[0] : new Class<?>[] {Object.class})
                        .invoke(new SimpleStore<String>(), invocation.getArguments());
            });
            return type.cast(factory.getProxy());
        }

        @Override
        public Class<?> getObjectType() {
            return type;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Repository {

        @Bean
        static Repositories<Things> things() {
            return new Repositories<>(Things.class);
        }

        @Bean
        static Repositories<MarkedThings> markedThings() {
            return new Repositories<>(MarkedThings.class);
        }
    }
}
