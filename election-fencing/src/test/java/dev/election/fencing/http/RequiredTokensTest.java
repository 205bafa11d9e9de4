package dev.election.fencing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.fencing.TokenGate;
import dev.election.fencing.autoconfigure.ElectionFencingAutoConfiguration;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.IterableAssert;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockServletContext;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** What is required is checked, or the start fails. */
class RequiredTokensTest {

    private final WebApplicationContextRunner mvc = new WebApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(WebMvcAutoConfiguration.class, ElectionFencingAutoConfiguration.class))
            .withBean(Elections.class, HandDrivenElections::new);

    @Test
    void an_application_without_required_tokens_has_no_interceptor_and_needs_no_gate() {
        mvc.run(context -> {
            assertThat(context).hasNotFailed();
            assertInterceptors(context).doesNotHaveAnyElementsOfTypes(MappedInterceptor.class);
            assertThat(context.getBeansOfType(ReceivingInterceptor.class)).isEmpty();
        });
    }

    @Test
    void a_controller_that_is_no_bean_definition_is_checked_like_any() {
        mvc.withInitializer(context -> context.getBeanFactory().registerSingleton("handler", new Handler()))
                .withPropertyValues("election.fencing.gate=memory")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(MappedInterceptor.class));
    }

    @Test
    void a_handler_of_a_child_context_is_checked_by_its_parent_or_an_error() {
        WebApplicationContextRunner parent = mvc.withPropertyValues("election.fencing.gate=memory");
        parent.run(context -> {
            try (AnnotationConfigWebApplicationContext child = childOf(context)) {
                assertThatThrownBy(child::refresh)
                        .isInstanceOf(ElectionConfigurationException.class)
                        .hasMessageContaining("Handler has no effect");
            }
        });
        parent.withBean(Handler.class).run(context -> {
            try (AnnotationConfigWebApplicationContext child = childOf(context)) {
                child.refresh();
                assertInterceptors(child).hasAtLeastOneElementOfType(MappedInterceptor.class);
            }
        });
    }

    private static AnnotationConfigWebApplicationContext childOf(ApplicationContext parent) {
        AnnotationConfigWebApplicationContext child = new AnnotationConfigWebApplicationContext();
        child.setParent(parent);
        child.setServletContext(new MockServletContext());
        child.register(OwnMvc.class, Handler.class);
        return child;
    }

    private static IterableAssert<Object> assertInterceptors(ApplicationContext context) {
        return assertThat(ReflectionTestUtils.getField(
                        context.getBean(RequestMappingHandlerMapping.class), "adaptedInterceptors"))
                .asInstanceOf(InstanceOfAssertFactories.iterable(Object.class));
    }

    @Test
    void without_a_place_for_tokens_the_start_fails() {
        mvc.withBean(Handler.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("no DataSource and no StringRedisTemplate"));
        mvc.withBean(Handler.class)
                .withPropertyValues("election.fencing.gate=memory")
                .run(context -> assertThat(context).hasNotFailed());
        mvc.withBean(Handler.class)
                .withPropertyValues("election.fencing.gate=redis")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("no StringRedisTemplate"));
    }

    @Test
    void tokens_are_checked_without_the_libraries_of_databases_too() {
        mvc.withBean(Handler.class)
                .withPropertyValues("election.fencing.gate=memory")
                .withClassLoader(new FilteredClassLoader("org.springframework.jdbc", "org.springframework.boot.jdbc"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(ReceivingInterceptor.class));
    }

    @Test
    void an_application_that_configures_mvc_itself_is_not_without_checks() {
        mvc.withUserConfiguration(OwnMvc.class)
                .withBean(Handler.class)
                .withPropertyValues("election.fencing.gate=memory")
                .run(context -> assertInterceptors(context).hasAtLeastOneElementOfType(MappedInterceptor.class));
    }

    @Test
    void an_annotation_where_nothing_checks_it_is_an_error_at_the_start() {
        mvc.withBean(NoHandler.class).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOfSatisfying(
                        ElectionConfigurationException.class,
                        unchecked -> assertThat(unchecked.getAction()).contains("@RequestMapping"))
                .hasMessageContaining("NoHandler")
                .hasMessageContaining("has no effect"));
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(WebFluxAutoConfiguration.class, ElectionFencingAutoConfiguration.class))
                .withBean(Elections.class, HandDrivenElections::new)
                .withBean(Handler.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("this application uses WebFlux"));
    }

    @Test
    void tokens_that_are_further_ahead_are_accepted_where_the_clock_of_the_store_was_once_ahead() {
        WebApplicationContextRunner gate = mvc.withPropertyValues("election.fencing.gate=memory");
        FencingToken ahead = new FencingToken(
                System.currentTimeMillis() + Duration.ofDays(366).toMillis());
        gate.run(context -> assertThat(context.getBean(TokenGate.class).admit("r", ahead))
                .isInstanceOf(TokenGate.Implausible.class));
        gate.withPropertyValues("election.tokens-ahead=400d")
                .run(context -> assertThat(context.getBean(TokenGate.class).admit("r", ahead))
                        .isEqualTo(new TokenGate.Admitted()));
        gate.withBean(Handler.class)
                .withPropertyValues("election.tokens-ahead=1s")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("between 1 min"));
    }

    @Test
    void what_can_be_no_host_is_refused() {
        mvc.withPropertyValues("election.fencing.http.send-to=http://billing:8080")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("without scheme, port"));
        mvc.withPropertyValues("election.fencing.http.send-to=billing.internal, *.example.org, [::1], 127.0.0.1")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @RestController
    static class Handler {

        @PostMapping("/handler")
        @RequireFencingToken("handler")
        void handle() {}
    }

    static class NoHandler {

        @RequireFencingToken("nobody calls")
        void handle() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnMvc extends WebMvcConfigurationSupport {}
}
