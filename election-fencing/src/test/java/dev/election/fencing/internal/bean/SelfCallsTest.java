package dev.election.fencing.internal.bean;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.fencing.Fenced;
import dev.election.fencing.internal.transaction.FencingDatabase;
import dev.election.fencing.internal.transaction.FencingNode;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.DefaultTransactionAttribute;

/** Which calls of fenced methods go past the proxy. */
@ExtendWith(OutputCaptureExtension.class)
class SelfCallsTest {

    @Test
    void calls_on_this_are_found_whatever_the_arguments_and_also_through_lambdas_and_private_methods() {
        assertThat(find(Calls.class))
                .containsExactly(
                        "byLambda calls work",
                        "byPrivateMethod calls work",
                        "byReference calls work",
                        "byVariables calls sum",
                        "plainly calls work",
                        "withArguments calls sum");
    }

    @Test
    void calls_on_a_proxy_or_another_object_of_the_class_are_not_found() {
        assertThat(find(Well.class)).isEmpty();
    }

    @Test
    void a_caller_that_is_fenced_itself_fences_the_same_resource_only() {
        assertThat(find(Fencing.class)).containsExactly("other calls work");
    }

    @Test
    void a_call_from_a_superclass_is_found() {
        assertThat(find(Template.class)).containsExactly("run calls work");
    }

    @Test
    void the_start_warns_once_of_a_class_that_calls_its_own(CapturedOutput output) throws Exception {
        try (FencingDatabase database = FencingDatabase.h2();
                FencingNode node = new FencingNode(database.pool(), Map.of(), Calls.class, Well.class)) {
            assertThat(output)
                    .containsOnlyOnce("past the proxy")
                    .containsOnlyOnce(Calls.class.getName() + " calls fenced methods of its own")
                    .contains("byLambda calls work, byPrivateMethod calls work");
        }
    }

    private static Set<String> find(Class<?> type) {
        return SelfCalls.find(
                type,
                FencedMethods.of(
                        type, Set.of(), new FenceReader(name -> name), method -> new DefaultTransactionAttribute()));
    }

    static class Calls {

        @Transactional
        @Fenced(resource = "r")
        public int work() {
            return 1;
        }

        @Transactional
        @Fenced(resource = "r")
        public double sum(long one, String text, double other, Object... more) {
            return one + other;
        }

        @Transactional
        public void plainly() {
            work();
        }

        public double withArguments(boolean flag, int[] numbers, Map<String, Long> map) {
            double total = 0;
            for (int number : numbers) {
                try {
                    total += sum(
                            flag ? number << 2 : map.get("x" + number),
                            switch (number) {
                                case 1 -> "one";
                                case 2 -> new StringBuilder().append(number % 3).toString();
                                default -> "many";
                            },
                            number++ * -2.0,
                            new long[][] {{number}, {1L & number}},
                            flag && number > 3);
                } catch (IllegalStateException failure) {
                    total -= 1;
                }
            }
            return total;
        }

        public int byLambda() {
            Supplier<Integer> later = () -> work();
            return later.get();
        }

        public int byReference() {
            Supplier<Integer> later = this::work;
            return later.get();
        }

        public double byVariables(long one, double other) {
            return sum(one, "", other);
        }

        public int byPrivateMethod() {
            return helper();
        }

        private int helper() {
            return work();
        }
    }

    static class Well {

        private @Nullable Well self;

        @Transactional
        @Fenced(resource = "r")
        public int work() {
            return 1;
        }

        public int byProxy(boolean flag) {
            Well proxy = self;
            return proxy == null ? new Well().work() : (flag ? proxy : self).work();
        }

        public int byVariable() {
            Well other = new Well();
            return other.work();
        }

        public int byReference() {
            Supplier<Integer> later = self::work;
            return later.get();
        }
    }

    static class Fencing {

        @Transactional
        @Fenced(resource = "r")
        public int work() {
            return 1;
        }

        @Transactional
        @Fenced(resource = "r")
        public int same() {
            return helper();
        }

        @Transactional
        @Fenced(resource = "other")
        public int other() {
            return helper();
        }

        private int helper() {
            return work();
        }
    }

    abstract static class Base {

        public void run() {
            work();
        }

        public void overridden() {
            work();
        }

        protected abstract void work();
    }

    static class Template extends Base {
        @Override
        @Transactional
        @Fenced(resource = "r")
        protected void work() {}

        @Override
        public void overridden() {}
    }
}
