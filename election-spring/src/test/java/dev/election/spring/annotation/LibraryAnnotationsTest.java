package dev.election.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ConditionalOnLeader;
import dev.election.LeaderOnly;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.web.neighbour.OwnInPackageOfFramework;

class LibraryAnnotationsTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnType.class,
                OnMethod.class,
                OnPrivateMethod.class,
                OnSuperclass.class,
                OnSuperclassOfAnother.class,
                OnInterface.class,
                OnInterfaceOfInterface.class,
                Composed.class,
                ComposedTwice.class,
                Repeated.class,
                OnTypeOfInterface.class,
                OnSubclassOfFramework.class,
                OwnInPackageOfFramework.class
            })
    void a_class_that_a_search_could_find_is_not_ruled_out(Class<?> type) {
        assertThat(LibraryAnnotations.mayBeOn(type)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                None.class,
                OtherAnnotations.class,
                OfFramework.class,
                ArrayList.class,
                Callable.class,
                ApplicationListener.class,
                int.class,
                int[].class
            })
    void a_class_without_any_is_ruled_out(Class<?> type) {
        assertThat(LibraryAnnotations.mayBeOn(type)).isFalse();
    }

    @Test
    void a_proxy_has_those_of_its_target_or_its_interfaces() {
        ProxyFactory subclass = new ProxyFactory(new OnMethod());
        subclass.setProxyTargetClass(true);
        Object ofInterface = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Work.class}, (proxy, method, arguments) -> null);

        assertThat(LibraryAnnotations.mayBeOn(subclass.getProxy().getClass())).isTrue();
        assertThat(LibraryAnnotations.mayBeOn(ofInterface.getClass())).isTrue();
    }

    @LeaderOnly
    static class OnType {}

    static class OnMethod {
        @ConditionalOnLeader
        public void run() {}
    }

    static class OnPrivateMethod {
        @LeaderOnly
        private void run() {}
    }

    static class OnSuperclass extends OnPrivateMethod {}

    static class OnSuperclassOfAnother extends OnSuperclass {
        @Override
        public String toString() {
            return "";
        }
    }

    interface Work {
        @LeaderOnly
        void run();
    }

    static class OnInterface implements Work {
        @Override
        public void run() {}
    }

    interface MoreWork extends Work {}

    abstract static class OnInterfaceOfInterface implements MoreWork {}

    @LeaderOnly
    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Nights.class)
    @interface Night {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface Nights {
        Night[] value();
    }

    @Night
    @Retention(RetentionPolicy.RUNTIME)
    @interface EveryNight {}

    static class Composed {
        @Night
        public void run() {}
    }

    static class ComposedTwice {
        @EveryNight
        public void run() {}
    }

    static class Repeated {
        @Night
        @Night
        public void run() {}
    }

    static class OnSubclassOfFramework extends StaticMessageSource {
        @LeaderOnly
        public void run() {}
    }

    static class OnTypeOfInterface implements Guarded {}

    @LeaderOnly
    interface Guarded {}

    static class None implements Callable<List<String>> {
        @Override
        public List<String> call() {
            return List.of();
        }
    }

    static class OfFramework extends StaticMessageSource {}

    @Deprecated
    static class OtherAnnotations {
        @Deprecated
        public void run() {}
    }
}
