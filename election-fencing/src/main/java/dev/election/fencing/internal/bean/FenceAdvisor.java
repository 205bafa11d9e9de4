package dev.election.fencing.internal.bean;

import dev.election.fencing.internal.transaction.Fence;
import dev.election.fencing.internal.transaction.FencedTransactions;
import java.lang.reflect.Method;
import java.util.function.BiConsumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;

/** One of the two parts of a fence among the advisors of a proxy. */
final class FenceAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient FencedMethods methods;
    private final Part part;

    /** The place of a part. */
    enum Part {
        /** Before the transaction begins. */
        RAISE,
        /** Within the transaction. */
        JOIN
    }

    private FenceAdvisor(FencedMethods methods, Part part, BiConsumer<Method, Fence> work) {
        super((MethodInterceptor) invocation -> {
            Fence fence = methods.find(invocation.getMethod());
            if (fence != null) {
                work.accept(invocation.getMethod(), fence);
            }
            return invocation.proceed();
        });
        this.methods = methods;
        this.part = part;
    }

    /** Raises the resource before the transaction begins, so that no thread waits for a second connection while it holds one. */
    static FenceAdvisor raising(FencedMethods methods, FencedTransactions transactions) {
        return new FenceAdvisor(methods, Part.RAISE, transactions::raise);
    }

    /** Registers the check with the transaction in which the method runs. */
    static FenceAdvisor joining(FencedMethods methods, FencedTransactions transactions) {
        return new FenceAdvisor(methods, Part.JOIN, transactions::join);
    }

    Part part() {
        return part;
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return methods.find(method) != null;
    }
}
