package dev.election.fencing.http;

import dev.election.FencingToken;
import dev.election.fencing.TokenGate;
import dev.election.support.LogLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.AsyncHandlerInterceptor;

/** Checks the tokens of requests to handlers with {@link RequireFencingToken}. */
public final class ReceivingInterceptor implements AsyncHandlerInterceptor, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ReceivingInterceptor.class);

    private final TimeLimitedGate gate;
    private final UnaryOperator<String> placeholders;
    private final boolean anonymousAllowed;

    /** A store that answers every other question fails often. */
    private final LogLimit failures = LogLimit.every(Duration.ofMinutes(1));

    /**
     * @param gate supplies the gate, on the first request
     * @param limit how long a request waits for the gate
     * @param placeholders replaces placeholders in the names of resources
     * @param anonymousAllowed whether a caller need not be authenticated
     */
    public ReceivingInterceptor(
            Supplier<TokenGate> gate, Duration limit, UnaryOperator<String> placeholders, boolean anonymousAllowed) {
        this.gate = new TimeLimitedGate(gate, limit);
        this.placeholders = placeholders;
        this.anonymousAllowed = anonymousAllowed;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String resource = handler instanceof HandlerMethod method ? resourceOf(method) : null;
        if (resource == null) {
            return true;
        }
        if (!anonymousAllowed && request.getUserPrincipal() == null) {
            throw refused(
                    HttpStatus.UNAUTHORIZED,
                    "Only an authenticated caller may send a fencing token (election.fencing.http.allow-anonymous)");
        }
        FencingToken token = tokenOf(request);
        // An asynchronous request is dispatched a second time to complete its response: an admitted token is not
        // checked again.
        String admitted = ReceivingInterceptor.class.getName() + ".admitted." + resource;
        if (!token.equals(request.getAttribute(admitted))) {
            check(resource, token, admission(resource, token));
            request.setAttribute(admitted, token);
        }
        outer(request).push(ReceivedToken.current());
        new ReceivedToken(resource, token).onThisThread();
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        leave(request, handler);
    }

    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        leave(request, handler);
    }

    /** The handler may have been included by another one, whose token applies again. */
    private void leave(HttpServletRequest request, Object handler) {
        if (handler instanceof HandlerMethod method && TokenHandlers.requireToken(method)) {
            Optional<ReceivedToken> before = outer(request).poll();
            if (before != null && before.isPresent()) {
                before.get().onThisThread();
            } else {
                ReceivedToken.clear();
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Deque<Optional<ReceivedToken>> outer(HttpServletRequest request) {
        String name = ReceivingInterceptor.class.getName() + ".outer";
        Deque<Optional<ReceivedToken>> known = (Deque<Optional<ReceivedToken>>) request.getAttribute(name);
        if (known == null) {
            known = new ArrayDeque<>();
            request.setAttribute(name, known);
        }
        return known;
    }

    /** The name of the resource of a handler, {@code null} if it requires no token. */
    private @Nullable String resourceOf(HandlerMethod method) {
        RequireFencingToken required = TokenHandlers.find(method);
        return required == null ? null : placeholders.apply(required.value());
    }

    private static FencingToken tokenOf(HttpServletRequest request) {
        List<String> values = Collections.list(request.getHeaders(FencingTokenHeader.NAME));
        FencingToken token =
                values.size() == 1 ? FencingTokenHeader.parse(values.get(0).strip()) : null;
        if (token == null) {
            throw refused(
                    HttpStatus.BAD_REQUEST,
                    "The request must have exactly one header " + FencingTokenHeader.NAME
                            + ", a number from 1 to 2^53 - 1");
        }
        return token;
    }

    private TokenGate.Admission admission(String resource, FencingToken token) {
        try {
            return gate.admit(resource, token);
        } catch (ExecutionException failure) {
            throw unchecked(failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unchecked(interrupted);
        } catch (TimeoutException | RejectedExecutionException failure) {
            throw unchecked(failure);
        }
    }

    private ErrorResponseException unchecked(@Nullable Throwable failure) {
        if (failures.begins(gate)) {
            log.warn(
                    "Failed to check a fencing token: the store of the newest token (election.fencing.gate) gave no"
                            + " reply in time or failed. Such requests are refused"
                            + " with 503 until it replies. Further failures are logged once a minute",
                    failure);
        }
        return refused(
                HttpStatus.SERVICE_UNAVAILABLE,
                "The fencing token can't be checked: the store of the newest token does not reply. Try again later",
                failure);
    }

    private static void check(String resource, FencingToken token, TokenGate.Admission admission) {
        if (admission instanceof TokenGate.Stale stale) {
            throw refused(
                    HttpStatus.PRECONDITION_FAILED,
                    "A newer leader with token " + stale.newer() + " has written the resource '" + resource
                            + "': the request with token " + token + " is refused");
        }
        if (admission instanceof TokenGate.Implausible implausible) {
            throw refused(
                    HttpStatus.BAD_REQUEST,
                    "The fencing token " + token + " for the resource '" + resource
                            + "' is too far ahead of the clock (election.tokens-ahead): the highest accepted token is "
                            + implausible.limit());
        }
    }

    @Override
    public void close() {
        gate.close();
    }

    private static ErrorResponseException refused(HttpStatus status, String why) {
        return refused(status, why, null);
    }

    private static ErrorResponseException refused(HttpStatus status, String why, @Nullable Throwable cause) {
        return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, why), cause);
    }
}
