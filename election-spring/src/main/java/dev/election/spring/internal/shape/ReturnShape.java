package dev.election.spring.internal.shape;

import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import dev.election.spring.internal.interruption.CallPlace;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/** How a method returns its result: its empty result, how it fails, and when its work has ended. */
public interface ReturnShape {

    /** To be checked before {@link ReactiveShape} is used, which can't be loaded without Reactor. */
    boolean REACTOR_IS_PRESENT =
            ClassUtils.isPresent("reactor.core.publisher.Flux", ReturnShape.class.getClassLoader());

    /** The result of a skipped call. */
    @Nullable
    Object nothing();

    /** Whether a skipped call returns {@code null} to its caller. */
    default boolean skipsToNull() {
        return nothing() == null;
    }

    /** The result of a refused call; throws the exception if the call itself throws. */
    Object failure(NotLeaderException refusal);

    /**
     * The result, observed so that the work ends when it completes. To be called on a thread with that work as its current work.
     *
     * @param place where the call is, {@code null} if nobody has to know
     */
    @Nullable
    Object watch(@Nullable Object result, LeaderWork work, @Nullable CallPlace place);

    /**
     * This shape if it is cold, otherwise {@code null}. Asked at each call: there an {@code instanceof} of an interface takes 20 ns, and a
     * refusal without it 38.
     */
    default @Nullable ColdShape cold() {
        return null;
    }

    /** The shape of that method. */
    static ReturnShape of(Method method) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            return CoroutineShape.of(method);
        }
        Class<?> type = method.getReturnType();
        if (isFlow(type)) {
            return FlowShape.INSTANCE;
        }
        if (type == CompletionStage.class || type == CompletableFuture.class || type == Future.class) {
            return Staged.INSTANCE;
        }
        if (REACTOR_IS_PRESENT && ReactiveShape.isReactive(type)) {
            return ReactiveShape.of(type);
        }
        return new Plain(emptyValue(type));
    }

    /** Whether that is Kotlin's {@code Flow}, which an application need not have. */
    static boolean isFlow(Class<?> type) {
        return type.getName().equals("kotlinx.coroutines.flow.Flow");
    }

    /** The empty value of that type. */
    static @Nullable Object emptyValue(Class<?> type) {
        if (type == Optional.class) {
            return Optional.empty();
        }
        if (type == OptionalInt.class) {
            return OptionalInt.empty();
        }
        if (type == OptionalLong.class) {
            return OptionalLong.empty();
        }
        return type == OptionalDouble.class ? OptionalDouble.empty() : null;
    }

    /**
     * A plain result: the work ends when the method returns.
     *
     * @param nothing what a skipped call returns
     */
    record Plain(@Nullable Object nothing) implements ReturnShape {

        @Override
        public Object failure(NotLeaderException refusal) {
            throw refusal;
        }

        @Override
        public @Nullable Object watch(@Nullable Object result, LeaderWork work, @Nullable CallPlace place) {
            work.close();
            return result;
        }
    }

    /** A stage: the work ends when it completes. The caller of the guarded method gets the stage and handles its outcome. */
    @SuppressWarnings("FutureReturnValueIgnored")
    enum Staged implements ReturnShape {
        INSTANCE;

        @Override
        public Object nothing() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public Object failure(NotLeaderException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }

        @Override
        public @Nullable Object watch(@Nullable Object result, LeaderWork work, @Nullable CallPlace place) {
            if (result instanceof CompletionStage<?> stage) {
                // The caller gets the stage itself, so that it can cancel it.
                stage.whenComplete((value, failure) -> {
                    if (failure != null) {
                        FailingWork.tell(work, unwrapped(failure));
                    }
                    if (place == null) {
                        work.close();
                    } else {
                        place.endWith(work::close);
                    }
                });
            } else {
                // The end of a plain Future can't be observed, and null has no end.
                work.close();
            }
            return result;
        }

        private static Throwable unwrapped(Throwable failure) {
            return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        }
    }
}
