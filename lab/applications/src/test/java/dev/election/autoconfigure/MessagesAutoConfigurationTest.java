package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionConfigurationException;
import dev.election.members.AskReply;
import dev.election.members.AskReply.Answered;
import dev.election.members.AskReply.Reason;
import dev.election.members.AskReply.Unanswered;
import dev.election.members.MessageHandler;
import dev.election.members.NodeMessageHandler;
import dev.election.members.NodeMessages;
import dev.election.members.ReceivedMessage;
import dev.election.members.Recipient;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.test.InMemoryRecordStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Messages between members in an application with Spring: beans that handle them, and beans that send them. */
class MessagesAutoConfigurationTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void an_application_without_handlers_sends_and_hears_nothing() {
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(isCreated(context, "electionMessages")).isFalse();
            assertThat(isCreated(context, "electionMembers")).isFalse();
            assertThat(context.getBean(MeterRegistry.class)
                            .find("election.messages")
                            .meters())
                    .isEmpty();
        });
    }

    @Test
    void methods_of_beans_handle_messages_and_reply() {
        runner().withPropertyValues("name=placed").withBean(Handling.class).run(context -> {
            Handling bean = context.getBean(Handling.class);
            assertThat(ask(context, "text", "{}")).isEqualTo(new Answered(""));
            assertThat(bean.heard.poll()).isEqualTo("{}");
            assertThat(ask(context, "whole", "1")).isEqualTo(new Answered("mine: 1"));
            assertThat(ask(context, "placed", "2")).as("named by a property").isEqualTo(new Answered("2"));
            assertThat(ask(context, "fails", "")).isInstanceOfSatisfying(Unanswered.class, none -> {
                assertThat(none.reason()).isEqualTo(Reason.HANDLER_FAILED);
                assertThat(none.detail()).contains(IOException.class.getName());
            });
            assertThat(context.getBean(MeterRegistry.class)
                            .get("election.messages")
                            .tag("outcome", "handled")
                            .functionCounter())
                    .extracting(FunctionCounter::count)
                    .isEqualTo(3.0);
        });
    }

    @Test
    void beans_that_are_handlers_handle_messages_also_lazy_ones() {
        runner().withUserConfiguration(Functional.class).run(context -> {
            assertThat(isCreated(context, "lazy")).isFalse();
            assertThat(ask(context, "functional", "1")).isEqualTo(new Answered("functional 1"));
            assertThat(ask(context, "lazy", "2")).isEqualTo(new Answered("lazy 2"));
            assertThat(isCreated(context, "lazy")).isTrue();
        });
    }

    @Test
    void a_message_to_all_reaches_this_process_too() {
        runner().withPropertyValues("name=placed").withBean(Handling.class).run(context -> {
            context.getBean(NodeMessages.class).send(Recipient.all(), "text", "[]");
            assertThat(context.getBean(Handling.class).heard.poll(20, TimeUnit.SECONDS))
                    .isEqualTo("[]");
        });
    }

    @Test
    void over_a_store_that_passes_no_messages_on_an_application_with_handlers_does_not_start() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ElectionContext.LISTED.toArray(Class<?>[]::new)))
                .withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class))
                .withBean(
                        LeaseStore.class,
                        () -> new RecordLeaseStore(
                                InMemoryRecordStore.withClock(System::currentTimeMillis), "", new LeaseRules(10)))
                .withUserConfiguration(Functional.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(ElectionConfigurationException.class, failure -> {
                            assertThat(failure).hasMessageContaining("passes none on");
                            assertThat(failure.getAction()).contains("such as Redis");
                        }));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                NoParameter.class,
                WrongParameter.class,
                WrongResult.class,
                NoType.class,
                NoHandler.class,
                Twice.class,
                BehindProxy.class
            })
    void what_can_not_be_called_fails_the_start(Class<?> bean) {
        runner().withUserConfiguration(bean).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("@NodeMessageHandler"));
    }

    static class Handling {

        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        @NodeMessageHandler("text")
        void text(String body) {
            heard.add(body);
        }

        @NodeMessageHandler("whole")
        String whole(ReceivedMessage message) {
            return message.from().id() + ": " + message.body();
        }

        @NodeMessageHandler("${name}")
        private String placed(String body) {
            return body;
        }

        @NodeMessageHandler("fails")
        void fails(String body) throws IOException {
            throw new IOException(body);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Functional {

        @Bean
        @NodeMessageHandler("functional")
        MessageHandler functional() {
            return message -> "functional " + message.body();
        }

        @Bean
        @Lazy
        @NodeMessageHandler("lazy")
        MessageHandler lazy() {
            return message -> "lazy " + message.body();
        }
    }

    static class NoParameter {
        @NodeMessageHandler("t")
        void handle() {}
    }

    static class WrongParameter {
        @NodeMessageHandler("t")
        void handle(Integer number) {}
    }

    static class WrongResult {
        @NodeMessageHandler("t")
        int handle(String body) {
            return body.length();
        }
    }

    static class NoType {
        @NodeMessageHandler("a type")
        void handle(String body) {}
    }

    @NodeMessageHandler("t")
    static class NoHandler {}

    static class Twice {
        @NodeMessageHandler("t")
        void one(String body) {}

        @NodeMessageHandler("t")
        void other(String body) {}
    }

    private static AskReply ask(AssertableApplicationContext context, String type, String body) {
        return context.getBean(NodeMessages.class)
                .ask(Recipient.member("mine"), type, body, LONG)
                .toCompletableFuture()
                .join();
    }

    private static boolean isCreated(AssertableApplicationContext context, String bean) {
        return context.getSourceApplicationContext().getBeanFactory().containsSingleton(bean);
    }

    private static ApplicationContextRunner runner() {
        return ElectionContext.inMemory()
                .withPropertyValues("election.node.id=mine")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }

    @Configuration(proxyBeanMethods = false)
    static class BehindProxy {

        @Bean
        static DefaultAdvisorAutoProxyCreator proxies() {
            return new DefaultAdvisorAutoProxyCreator();
        }

        @Bean
        static Advisor advisor() {
            NameMatchMethodPointcutAdvisor advisor =
                    new NameMatchMethodPointcutAdvisor((MethodInterceptor) invocation -> invocation.proceed());
            advisor.setMappedName("run");
            advisor.setClassFilter(type -> type == NotInTheInterface.class);
            return advisor;
        }

        @Bean
        NotInTheInterface handler() {
            return new NotInTheInterface();
        }
    }

    static class NotInTheInterface implements Runnable {

        @Override
        public void run() {}

        @NodeMessageHandler("t")
        public void handle(String body) {}
    }
}
