package dev.election.routing.autoconfigure;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.routing.OnLeader;
import dev.election.routing.RoutingMode;
import dev.election.routing.internal.decision.LeaderRouting;
import dev.election.routing.internal.decision.RoutedElection;
import dev.election.routing.internal.decision.Routes;
import dev.election.spring.annotation.LibraryAnnotations;
import dev.election.spring.lifecycle.WantedElections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/** Finds at the start which handlers are routed, and fails if a route could have no effect. */
final class RoutingStart implements SmartInitializingSingleton, BeanFactoryAware, WantedElections {

    private final Routes routes;
    private final ObjectProvider<RoutedHandlers> handlers;
    private final ObjectProvider<LeaderRouting> routing;
    private final boolean hasPublicUri;
    private final Set<String> elections = new LinkedHashSet<>();
    private @Nullable ConfigurableListableBeanFactory beans;

    RoutingStart(
            Routes routes,
            ObjectProvider<RoutedHandlers> handlers,
            ObjectProvider<LeaderRouting> routing,
            boolean hasPublicUri) {
        this.routes = routes;
        this.handlers = handlers;
        this.routing = routing;
        this.hasPublicUri = hasPublicUri;
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        beans = (ConfigurableListableBeanFactory) factory;
    }

    /** The names of the elections whose leaders serve requests. */
    @Override
    public Set<String> names() {
        return Set.copyOf(elections);
    }

    @Override
    public void afterSingletonsInstantiated() {
        routes.byPath().forEach(route -> use(route.to(), "The route " + route.pattern()));
        List<HandlerMethod> all = handlers.stream().flatMap(RoutedHandlers::all).toList();
        Set<Class<?>> routed = new HashSet<>();
        for (HandlerMethod handler : all) {
            routes.of(handler).ifPresent(to -> {
                use(to, "The handler " + handler.getShortLogMessage());
                routed.add(ClassUtils.getUserClass(handler.getBeanType()));
                routes.lookForHandlers();
            });
        }
        refuseOthers(routed);
        if (!routes.isEmpty()) {
            LeaderRouting unused = routing.getObject();
        }
    }

    private void use(RoutedElection to, String what) {
        if (!Election.isName(to.election())) {
            throw new ElectionConfigurationException(
                    what + " names the election '" + to.election()
                            + "', but the name of an election must be 1 to 64 of A-Z a-z 0-9 . _ : -",
                    "Correct the name.");
        }
        if (to.mode() == RoutingMode.REDIRECT && !hasPublicUri) {
            throw new ElectionConfigurationException(
                    what
                            + " redirects clients to the leader, but election.node.public-uri is not set, so no client could be"
                            + " redirected to this node",
                    "Set election.node.public-uri to the address at which clients reach this node and no other, or use"
                            + " another mode.");
        }
        elections.add(to.election());
    }

    private void refuseOthers(Set<Class<?>> routed) {
        ConfigurableListableBeanFactory all = beans;
        if (all == null) {
            return;
        }
        for (String name : all.getBeanDefinitionNames()) {
            Class<?> type =
                    all.getBeanDefinition(name).isAbstract() ? null : AutoProxyUtils.determineTargetClass(all, name);
            Class<?> written = type == null ? null : ClassUtils.getUserClass(type);
            if (written != null && !routed.contains(written) && isMarked(written)) {
                throw new ElectionConfigurationException(
                        "@OnLeader of " + written.getName()
                                + " has no effect: it is not on a handler that Spring calls by" + " annotation",
                        "Put it on the class or the method with @RequestMapping, or route its path by"
                                + " election.routing.routes.");
            }
        }
    }

    private static boolean isMarked(Class<?> type) {
        if (type.getName().startsWith("org.springframework.") || !LibraryAnnotations.mayBeOn(type)) {
            return false;
        }
        if (AnnotatedElementUtils.hasAnnotation(type, OnLeader.class)) {
            return true;
        }
        MetadataLookup<Boolean> lookup =
                method -> AnnotatedElementUtils.hasAnnotation(method, OnLeader.class) ? Boolean.TRUE : null;
        return !MethodIntrospector.selectMethods(type, lookup).isEmpty();
    }
}
