package dev.election.spring.guard

import dev.election.ConditionalOnLeader
import dev.election.ElectionConfigurationException
import dev.election.LeaderOnly
import dev.election.Otherwise
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import reactor.core.publisher.Mono

class KotlinUnguardableTest {

    @Test
    fun a_function_that_is_not_open_is_a_startup_error() =
        rejects<FinalFunction>("FinalFunction.work()", "final method", "'open'", "kotlin-spring plugin")

    @Test
    fun a_class_that_is_not_open_is_a_startup_error() =
        rejects<FinalClass>("OpenFunction.inherited()", "final class", "'open'", "kotlin-spring plugin")

    @Test
    fun a_skipped_function_without_a_nullable_result_is_a_startup_error() =
        rejects<NonNull>("NonNull.work()", "no value to return", "'String?'", "Otherwise.FAIL")

    @Test
    fun a_skipped_function_that_returns_a_number_is_a_startup_error() =
        rejects<Number>("Number.work()", "no int to return", "'String?'", "Otherwise.FAIL")

    @Test
    fun a_skipped_suspend_function_without_a_nullable_result_is_a_startup_error() =
        rejects<NonNullSuspended>("NonNullSuspended.work(", "no value to return", "'String?'", "Otherwise.FAIL")

    @Test
    fun a_skipped_suspend_function_that_returns_a_number_is_a_startup_error() =
        rejects<NumberSuspended>("NumberSuspended.work(", "no value to return", "Otherwise.FAIL")

    @Test
    fun a_property_of_a_guarded_type_without_a_nullable_type_is_a_startup_error() =
        rejects<NonNullProperty>("NonNullProperty.getName()", "no value to return", "If the guard is on the type")

    @Test
    fun a_private_suspend_function_is_a_startup_error() =
        rejects<Hidden>("Hidden.work(", "private method", "public instance method")

    @Test
    fun a_suspend_function_that_returns_a_flow_is_a_startup_error() =
        rejects<SuspendedFlow>("SuspendedFlow.work(", "returns a Flow", "Remove 'suspend'")

    @Test
    fun what_a_skipped_call_can_return_is_none() {
        GuardContext().with(Fine::class.java).run { context -> assertThat(context).hasNotFailed() }
    }

    private inline fun <reified T> rejects(place: String, problem: String, vararg action: String) {
        assertThat(GuardContext().with(T::class.java).failure())
            .isInstanceOfSatisfying(ElectionConfigurationException::class.java) { rejection ->
                assertThat(rejection).hasMessageContaining(place).hasMessageContaining(problem)
                // Of several problems the message says what to do about each.
                assertThat(rejection.message + rejection.action).contains(*action)
            }
    }

    open class FinalFunction {
        @LeaderOnly
        fun work() {}
    }

    open class OpenFunction {
        @LeaderOnly
        open fun inherited() {}
    }

    class FinalClass : OpenFunction()

    open class NonNull {
        @LeaderOnly
        open fun work(): String = "done"
    }

    open class Number {
        @LeaderOnly
        open fun work(): Int = 1
    }

    open class NonNullSuspended {
        @LeaderOnly
        open suspend fun work(): String {
            delay(1)
            return "done"
        }
    }

    open class NumberSuspended {
        @LeaderOnly
        open suspend fun work(): Int = 1
    }

    @LeaderOnly
    open class NonNullProperty {
        open val name: String
            get() = "name"

        open fun work() {}
    }

    open class Hidden {
        @LeaderOnly
        private suspend fun work() = delay(1)
    }

    open class SuspendedFlow {
        @LeaderOnly
        open suspend fun work(): Flow<String> = emptyFlow()
    }

    @LeaderOnly
    open class Fine {
        open val name: String?
            get() = "name"

        open fun unit() {}

        open fun nullable(): String? = "done"

        open fun stage(): CompletableFuture<String> = CompletableFuture.completedFuture("done")

        open fun publisher(): Mono<String> = Mono.just("done")

        open fun flow(): Flow<String> = emptyFlow()

        open suspend fun unitSuspended() = delay(1)

        open suspend fun nullableSuspended(): String? = "done"

        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        open fun strict(): String = "done"

        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        open suspend fun strictSuspended(): Int = 1
    }
}
