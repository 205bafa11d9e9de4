package dev.election.fencing.internal.bean;

import static dev.election.fencing.internal.bean.FenceMarks.FENCED;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/** Fails at startup where an application has fenced methods that nothing can fence. Needs none of the libraries that fences need. */
public final class RefusedFences implements BeanPostProcessor, AopInfrastructureBean {

    private final String problem;
    private final String action;
    private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

    /**
     * Creates the check.
     *
     * @param problem why there are no fences, as a sentence without a full stop
     * @param action what to do about it
     */
    public RefusedFences(String problem, String action) {
        this.problem = problem;
        this.action = action;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        if (!(bean instanceof AopInfrastructureBean) && known.computeIfAbsent(type, FenceMarks::mayHaveSome)) {
            throw FENCED.invalid(beanName, type, problem, action);
        }
        return bean;
    }
}
