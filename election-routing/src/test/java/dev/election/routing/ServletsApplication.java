package dev.election.routing;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application with servlets of its own beside the dispatcher of Spring MVC. Nothing refuses an odd path before it is routed. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration"
        })
@Import(ServletsApplication.Handlers.class)
class ServletsApplication {

    @Bean
    ServletRegistrationBean<HttpServlet> lib(Environment environment) {
        return named("lib", environment);
    }

    @Bean
    ServletRegistrationBean<HttpServlet> other(Environment environment) {
        return named("other", environment);
    }

    private static ServletRegistrationBean<HttpServlet> named(String name, Environment environment) {
        ServletRegistrationBean<HttpServlet> servlet =
                new ServletRegistrationBean<>(new Saying(name, node(environment)), "/" + name + "/*");
        servlet.setName(name);
        return servlet;
    }

    private static String node(Environment environment) {
        return environment.getRequiredProperty("election.node.id");
    }

    /** Says which servlet of which node was called, and by which path. */
    private static final class Saying extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final String name;
        private final String node;

        private Saying(String name, String node) {
            this.name = name;
            this.node = node;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(node + " " + name + " " + request.getRequestURI());
        }
    }

    @RestController
    static class Handlers {

        private final String node;

        Handlers(Environment environment) {
            this.node = node(environment);
        }

        @OnLeader("orders")
        @RequestMapping("/marked/**")
        String marked() {
            return node + " marked";
        }

        @RequestMapping({"/admin/**", "/moved/**", "/anywhere/**"})
        String unmarked() {
            return node + " unmarked";
        }
    }
}
