package dev.election.fencing.internal.bean;

import static dev.election.fencing.internal.bean.FenceMarks.FENCED;

import dev.election.fencing.internal.bean.FenceAdvisor.Part;
import dev.election.fencing.internal.transaction.FencedTransactions;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.util.ClassUtils;

/**
 * Puts the two parts of a fence around the transaction advice of a proxy: directly before it and directly after it, whatever the order of the
 * transaction advice among others is. Makes no proxies: a fenced bean has one for its transactions.
 *
 * <p>Deliberately not {@code Ordered}: so it is applied after all post-processors that make proxies, and sees the transaction advice.
 */
public final class FencePostProcessor
        implements SmartInstantiationAwareBeanPostProcessor, SmartInitializingSingleton, AopInfrastructureBean {

    /** Spring's test support registers this bean where mocks replace beans. Such a mock looks like a bean that was created too early. */
    private static final String REPLACED_BY_TEST =
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

    private final FenceReader reader;
    private final Supplier<FencedTransactions> transactions;
    private final ConfigurableListableBeanFactory beans;
    private final Map<Class<?>, Boolean> marked = new ConcurrentHashMap<>();

    /** The beans that this processor has seen while the context started. */
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    /** The beans that other beans received before they were complete. */
    private final Set<String> early = ConcurrentHashMap.newKeySet();

    private final Queue<Placed> placed = new ConcurrentLinkedQueue<>();

    private volatile boolean starting = true;

    private record Placed(String bean, Class<?> type, Advised proxy, FencedMethods methods) {}

    /**
     * Creates the processor.
     *
     * @param beans whose fenced methods it finds
     * @param placeholders replaces {@code ${...}} in names
     * @param transactions called when the first fenced bean is created
     */
    public FencePostProcessor(
            ConfigurableListableBeanFactory beans,
            UnaryOperator<String> placeholders,
            Supplier<FencedTransactions> transactions) {
        this.beans = beans;
        this.reader = new FenceReader(placeholders);
        this.transactions = transactions;
    }

    /** Whether that class or one of its methods has a fence. */
    public static boolean isFenced(Class<?> type) {
        return FenceMarks.mayHaveSome(ClassUtils.getUserClass(type));
    }

    /** The elections named by the fences that were found so far. */
    public Set<String> elections() {
        return reader.elections();
    }

    @Override
    public Object getEarlyBeanReference(Object bean, String beanName) {
        if (place(bean, beanName)) {
            early.add(beanName);
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!early.remove(beanName)) {
            place(bean, beanName);
        }
        return bean;
    }

    /** Whether the bean has fences. */
    private boolean place(Object bean, String beanName) {
        if (starting) {
            seen.add(beanName);
        }
        if (!mayHaveFences(bean)) {
            return false;
        }
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        Advised proxy = bean instanceof Advised advised ? advised : null;
        FencedMethods methods = FencedMethods.of(type, interfacesOf(bean), reader, transactionsOf(proxy, type));
        if (proxy == null || methods.isEmpty()) {
            throw FENCED.invalid(
                    beanName,
                    type,
                    "it has no method that a proxy can fence",
                    "Put @Fenced on @Transactional methods.");
        }
        if (proxy.isFrozen()) {
            throw FENCED.invalid(
                    beanName,
                    type,
                    "its proxy is frozen, so that nothing can be added to it",
                    "Remove 'frozen' from the configuration of the proxy.");
        }
        int first = transactionPlaces(proxy).findFirst().orElseThrow();
        proxy.addAdvisor(first, FenceAdvisor.raising(methods, transactions.get()));
        int last = transactionPlaces(proxy).max().orElseThrow();
        proxy.addAdvisor(last + 1, FenceAdvisor.joining(methods, transactions.get()));
        if (starting) {
            placed.add(new Placed(beanName, type, proxy, methods));
        }
        return true;
    }

    private boolean mayHaveFences(Object bean) {
        if (bean instanceof AopInfrastructureBean) {
            return false;
        }
        return isMarked(ClassUtils.getUserClass(AopUtils.getTargetClass(bean)))
                || interfacesOf(bean).stream().anyMatch(this::isMarked);
    }

    private boolean isMarked(Class<?> type) {
        Boolean known = marked.get(type);
        if (known == null) {
            known = FenceMarks.mayHaveSome(type);
            marked.put(type, known);
        }
        return known;
    }

    /** A proxy may have interfaces that its target does not have, as that of a repository does. */
    private static Set<Class<?>> interfacesOf(Object bean) {
        return Proxy.isProxyClass(bean.getClass())
                ? ClassUtils.getAllInterfacesForClassAsSet(bean.getClass())
                : Set.of();
    }

    private static Function<Method, @Nullable TransactionAttribute> transactionsOf(
            @Nullable Advised proxy, Class<?> type) {
        List<Advisor> advisors = proxy == null
                ? List.of()
                : transactionPlaces(proxy)
                        .mapToObj(place -> proxy.getAdvisors()[place])
                        .toList();
        return method -> {
            for (Advisor advisor : advisors) {
                TransactionAttributeSource source =
                        ((TransactionInterceptor) advisor.getAdvice()).getTransactionAttributeSource();
                TransactionAttribute found = source == null ? null : source.getTransactionAttribute(method, type);
                if (found != null && covers(advisor, method, type)) {
                    return found;
                }
            }
            return null;
        };
    }

    private static boolean covers(Advisor advisor, Method method, Class<?> type) {
        return !(advisor instanceof PointcutAdvisor pointed)
                || (pointed.getPointcut().getClassFilter().matches(type)
                        && pointed.getPointcut().getMethodMatcher().matches(method, type));
    }

    private static IntStream transactionPlaces(Advised proxy) {
        Advisor[] advisors = proxy.getAdvisors();
        return IntStream.range(0, advisors.length)
                .filter(place -> advisors[place].getAdvice() instanceof TransactionInterceptor);
    }

    @Override
    public void afterSingletonsInstantiated() {
        placed.forEach(FencePostProcessor::rejectMoved);
        warnOfSelfCalls();
        placed.clear();
        if (!beans.containsSingleton(REPLACED_BY_TEST)) {
            rejectMissed();
        }
        starting = false;
        seen.clear();
    }

    private void warnOfSelfCalls() {
        Map<Class<?>, FencedMethods> types = new LinkedHashMap<>();
        placed.forEach(found -> types.put(found.type, found.methods));
        types.forEach(SelfCalls::warnOf);
    }

    /** Another post-processor may have added advice, or moved it. */
    private static void rejectMoved(Placed found) {
        int raise = -1;
        int join = -1;
        Advisor[] advisors = found.proxy.getAdvisors();
        for (int place = 0; place < advisors.length; place++) {
            if (advisors[place] instanceof FenceAdvisor fence) {
                if (fence.part() == Part.RAISE) {
                    raise = place;
                } else {
                    join = place;
                }
            }
        }
        int first = transactionPlaces(found.proxy).min().orElse(-1);
        int last = transactionPlaces(found.proxy).max().orElse(-1);
        if (raise < 0 || raise > first || join < last || first < 0) {
            throw FENCED.invalid(
                    found.bean,
                    found.type,
                    "the check lies outside of the transaction, since another post-processor has changed the advice of"
                            + " the proxy afterwards: " + List.of(advisors),
                    "Let that post-processor implement Ordered, so that it is applied before.");
        }
    }

    private void rejectMissed() {
        for (String name : beans.getBeanDefinitionNames()) {
            Object bean = seen.contains(name) ? null : beans.getSingleton(name);
            if (bean != null && mayHaveFences(bean)) {
                throw FENCED.invalid(
                        name,
                        bean.getClass(),
                        "the bean is created before the post-processor that adds the check",
                        "Let the post-processor that needs the bean look it up lazily (ObjectProvider), or make the"
                                + " @Bean method of that post-processor static.");
            }
        }
    }
}
