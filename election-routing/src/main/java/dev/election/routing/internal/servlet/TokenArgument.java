package dev.election.routing.internal.servlet;

import dev.election.FencingToken;
import dev.election.routing.internal.leader.NoToken;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** The fencing token of a request that only the leader may serve, as an argument of its handler. */
public final class TokenArgument implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == FencingToken.class;
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer model,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binding) {
        return FencingToken.current().orElseThrow(() -> new NoToken(parameter));
    }
}
