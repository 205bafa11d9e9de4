package dev.election.test;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Keeps what one test method decided from the next, although both see the same context: each begins where {@link Leads} says. After the
 * method as well, so that no scheduled work goes on as the leader of nothing while other contexts are tested.
 */
final class TestElectionsExecutionListener extends AbstractTestExecutionListener {

    /**
     * Ahead of the recording of application events, of transactions and of the reset of mocks, none of which shall see the resets; behind
     * the first chance to get a context dirtied by annotation out of the way.
     */
    @Override
    public int getOrder() {
        return 1_700;
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

    /** A context that is not there yet has nothing to forget. */
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
