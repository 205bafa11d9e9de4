package dev.election.test;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Resets the elections between test methods that share a context: each method begins where {@link Leads} says. The reset also follows the
 * last method, so that no scheduled work goes on while other contexts are tested.
 */
final class TestElectionsExecutionListener extends AbstractTestExecutionListener {

    /**
     * Runs last before the method and first after it: the events of a reset belong to the test that has just ended, to its mocks, its recorded
     * events and its transaction, and work that it left running must not keep a dirtied context from closing.
     */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        reset(test);
        Set<String> led = led(test);
        if (!led.isEmpty()) {
            TestElections elections = test.getApplicationContext()
                    .getBeanProvider(TestElections.class)
                    .getIfAvailable(() -> {
                        throw new IllegalStateException(
                                "@Leads on " + test.getTestClass().getName()
                                        + " needs TestElections in its context: add @AutoConfigureTestElections");
                    });
            led.forEach(elections::lead);
        }
    }

    @Override
    public void afterTestMethod(TestContext test) {
        reset(test);
    }

    /** Resets the elections of a context, unless there is none yet. */
    private static void reset(TestContext test) {
        if (test.hasApplicationContext()) {
            test.getApplicationContext().getBeanProvider(TestElections.class).ifAvailable(TestElections::reset);
        }
    }

    private static Set<String> led(TestContext test) {
        Set<String> led = new TreeSet<>();
        Consumer<@Nullable Leads> add = leads -> {
            if (leads != null) {
                led.addAll(Arrays.asList(leads.value()));
            }
        };
        add.accept(TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), Leads.class));
        add.accept(AnnotatedElementUtils.findMergedAnnotation(test.getTestMethod(), Leads.class));
        return led;
    }
}
