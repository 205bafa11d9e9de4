package dev.election.routing.internal.servlet;

import dev.election.LeaderWork;
import dev.election.routing.internal.decision.Answers;
import dev.election.routing.internal.leader.LostResponse;
import dev.election.routing.internal.leader.RunningRequests;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;
import org.springframework.web.context.request.async.WebAsyncUtils;

/** Serves requests as leader work, which ends with the response. */
final class LeaderRequests {

    private static final Logger log = LoggerFactory.getLogger(LeaderRequests.class);

    private static final String WORK = LeaderRequests.class.getName() + ".work";

    /** The name of the election whose leadership has ended before the response. */
    private static final String LOST = LeaderRequests.class.getName() + ".lost";

    private final RunningRequests running;

    LeaderRequests(RunningRequests running) {
        this.running = running;
    }

    void serve(LeaderWork work, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean isAsync = false;
        request.setAttribute(WORK, work);
        WebAsyncUtils.getAsyncManager(request).registerCallableInterceptor(WORK, new WorkOfCallable(work));
        try (LeaderWork.Scope scope = work.onThisThread()) {
            chain.doFilter(request, response);
            if (request.isAsyncStarted()) {
                AsyncContext context = request.getAsyncContext();
                context.addListener(new End(work));
                running.begun(work, () -> end(work, context));
                isAsync = true;
            }
        } finally {
            if (!isAsync) {
                work.close();
            }
        }
    }

    /**
     * A thread of the container completes an asynchronous response, or goes on with it. If it fails within a response that has begun, Jetty
     * tells no listener of the end, so this method ends the work, too.
     */
    void goOn(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request.getAttribute(WORK) instanceof LeaderWork work)) {
            chain.doFilter(request, response);
            return;
        }
        try (LeaderWork.Scope scope = work.onThisThread()) {
            if (request.getAttribute(LOST) instanceof String election) {
                lose(election, response);
            } else {
                chain.doFilter(request, response);
            }
        } finally {
            if (!request.isAsyncStarted()) {
                running.ended(work);
            }
        }
    }

    private static void lose(String election, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            throw new LostResponse(election);
        }
        response.resetBuffer();
        ServletProblems.write(Answers.leadershipLost(election), response);
    }

    private static void end(LeaderWork work, AsyncContext context) {
        try {
            if (LostResponse.isStream(context.getResponse().getContentType())) {
                context.complete();
            } else {
                context.getRequest().setAttribute(LOST, work.election().name());
                context.dispatch();
            }
            log.debug(
                    "Ended a response of election {}: leadership has ended",
                    work.election().name());
        } catch (IllegalStateException ended) {
            log.trace("The response had ended before the leadership", ended);
        }
    }

    /** Ends the work with the response, also if the request becomes asynchronous once more. */
    private final class End implements AsyncListener {

        private final LeaderWork work;

        private End(LeaderWork work) {
            this.work = work;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            running.ended(work);
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // It is completed then.
        }

        @Override
        public void onError(AsyncEvent event) {
            // It is completed then.
        }
    }

    private static final class WorkOfCallable implements CallableProcessingInterceptor {

        private final LeaderWork work;

        /** A request has one callable at a time, which begins and ends on one thread. */
        private volatile LeaderWork.@Nullable Scope scope;

        private WorkOfCallable(LeaderWork work) {
            this.work = work;
        }

        @Override
        public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
            scope = work.onThisThread();
        }

        @Override
        public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
            LeaderWork.Scope begun = scope;
            if (begun != null) {
                begun.close();
            }
        }
    }
}
