package dev.election.routing.internal.servlet;

import dev.election.routing.internal.decision.Answers;
import dev.election.routing.internal.decision.Hop;
import dev.election.routing.internal.decision.LeaderRouting;
import dev.election.routing.internal.decision.Problem;
import dev.election.routing.internal.decision.RoutedElection;
import dev.election.routing.internal.decision.RoutingDecision;
import dev.election.routing.internal.decision.RoutingObserver;
import dev.election.routing.internal.forward.Forwarder;
import dev.election.routing.internal.leader.RunningRequests;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.springframework.http.HttpHeaders;

/**
 * Lets only the leader serve some requests. It stands behind the filters of Spring Security, so that a request that is not allowed is refused
 * before it is forwarded.
 */
public final class LeaderFilter implements Filter {

    private static final String FORWARDED = LeaderFilter.class.getName() + ".forwarded";

    private final ServletRoutes routes;
    private final Supplier<LeaderRouting> routing;
    private final LeaderRequests requests;
    private final ForwardingServlet forwarding;
    private final RoutingObserver observer;

    /**
     * @param routes which requests are routed
     * @param routing decides where they are served
     * @param running the requests that this node serves as the leader
     * @param forwarder sends the others to the leader
     * @param observer is told of each
     */
    public LeaderFilter(
            ServletRoutes routes,
            Supplier<LeaderRouting> routing,
            RunningRequests running,
            Supplier<Forwarder> forwarder,
            RoutingObserver observer) {
        this.routes = routes;
        this.routing = routing;
        this.requests = new LeaderRequests(running);
        this.forwarding = new ForwardingServlet(forwarder);
        this.observer = observer;
    }

    @Override
    public void doFilter(ServletRequest given, ServletResponse answer, FilterChain chain)
            throws IOException, ServletException {
        if (routes.isEmpty()
                || !(given instanceof HttpServletRequest request)
                || !(answer instanceof HttpServletResponse response)) {
            chain.doFilter(given, answer);
        } else if (request.getDispatcherType() == DispatcherType.ASYNC) {
            goOn(request, response, chain);
        } else {
            ApplicationPath path = ApplicationPath.of(request);
            Optional<RoutedElection> to = routes.find(request, path);
            if (to.isPresent()) {
                route(to.get(), path, request, response, chain);
            } else {
                chain.doFilter(request, response);
            }
        }
    }

    private void goOn(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getAttribute(FORWARDED) != null) {
            // The rest of the response is missing: the adapter throws what has happened, so that the container ends the
            // connection.
            forwarding.service(request, response);
        } else {
            requests.goOn(request, response, chain);
        }
    }

    private void route(
            RoutedElection to,
            ApplicationPath path,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        long begun = System.nanoTime();
        RoutingDecision decision = decide(to, request);
        if (decision instanceof RoutingDecision.Here here) {
            observer.routed(to, RoutingObserver.LOCAL, since(begun));
            requests.serve(here.work(), request, response, chain);
            return;
        }
        if (decision instanceof RoutingDecision.Nowhere nowhere) {
            refuse(to, nowhere.problem(), response, begun);
        } else if (decision instanceof RoutingDecision.OnLeader leader) {
            Optional<Problem> own = Answers.answer(
                    to.mode(),
                    leader,
                    request.getHeader(HttpHeaders.UPGRADE),
                    path.written().pathWithinApplication().value(),
                    request.getQueryString());
            if (own.isPresent()) {
                refuse(to, own.get(), response, begun);
            } else {
                forward(to, leader, path, request, response, begun);
            }
        }
    }

    private void forward(
            RoutedElection to,
            RoutingDecision.OnLeader leader,
            ApplicationPath path,
            HttpServletRequest request,
            HttpServletResponse response,
            long begun)
            throws IOException, ServletException {
        String form = null;
        if (ReadBody.isGone(request)) {
            form = ReadBody.form(request);
            if (form == null) {
                refuse(to, Answers.bodyIsGone(leader), response, begun);
                return;
            }
        }
        request.setAttribute(FORWARDED, leader);
        boolean isHead = request.getMethod().equals("HEAD");
        HttpServletResponse own = ofContainer(response);
        forwarding.service(
                new ForwardedRequest(request, path.written(), own, to, leader, form),
                isHead ? new BodilessResponse(own) : new RelayedResponse(own));
    }

    /** Filters that keep a response, or change it, pass it on when they are left. That of the leader comes after that. */
    private static HttpServletResponse ofContainer(HttpServletResponse response) {
        return response instanceof HttpServletResponseWrapper wrapper
                        && wrapper.getResponse() instanceof HttpServletResponse within
                ? ofContainer(within)
                : response;
    }

    /** Waits on this thread, as a handler would that calls the leader. How many do so at a time is bounded. */
    private RoutingDecision decide(RoutedElection to, HttpServletRequest request) throws IOException {
        String hop = request.getHeader(Hop.HEADER);
        if (hop != null) {
            return routing.get().decide(to.election(), hop);
        }
        CompletableFuture<RoutingDecision> decision = routing.get().decide(to.election());
        try {
            return decision.get();
        } catch (ExecutionException timeout) {
            return new RoutingDecision.Nowhere(routing.get().nobodyLed(to.election()));
        } catch (InterruptedException interrupted) {
            if (!decision.cancel(false) && decision.join() instanceof RoutingDecision.Here here) {
                here.work().close();
            }
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for a leader of " + to.election());
        }
    }

    private void refuse(RoutedElection to, Problem problem, HttpServletResponse response, long begun)
            throws IOException {
        observer.routed(to, problem.outcome(), since(begun));
        ServletProblems.write(problem, response);
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }
}
