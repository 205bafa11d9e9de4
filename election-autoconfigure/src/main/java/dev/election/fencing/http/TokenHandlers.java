package dev.election.fencing.http;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.method.HandlerMethod;

/** Handlers that require a token. */
public final class TokenHandlers {

    private TokenHandlers() {}

    /** Whether that one does. */
    public static boolean requireToken(HandlerMethod handler) {
        return find(handler) != null;
    }

    static @Nullable RequireFencingToken find(HandlerMethod handler) {
        RequireFencingToken ofMethod =
                AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), RequireFencingToken.class);
        return ofMethod != null
                ? ofMethod
                : AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), RequireFencingToken.class);
    }
}
