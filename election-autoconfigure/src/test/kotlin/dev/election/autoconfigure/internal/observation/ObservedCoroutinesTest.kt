package dev.election.autoconfigure.internal.observation

import dev.election.LeaderOnly
import dev.election.autoconfigure.internal.observation.ObservedContext.tick
import io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.scheduling.annotation.Scheduled

/** What observations say of runs of scheduled functions of Kotlin. */
class ObservedCoroutinesTest {

    private val context = ObservedContext().with(Jobs::class.java)

    @ParameterizedTest
    @ValueSource(strings = ["suspending", "flowing"])
    fun a_run_on_a_follower_is_marked_as_skipped(function: String) {
        context.run { started ->
            tick(started, function)
            assertThat(context.observations).hasSingleObservationThat()
                .hasLowCardinalityKeyValue("election", "default")
                .hasLowCardinalityKeyValue("election.outcome", "skipped")
        }
    }

    @ParameterizedTest
    @ValueSource(strings = ["suspending", "flowing"])
    fun a_run_on_the_leader_has_its_token(function: String) {
        context.elections.get("default").lead(42)
        context.run { started ->
            tick(started, function)
            assertThat(context.observations).hasSingleObservationThat()
                .hasLowCardinalityKeyValue("election.outcome", "ran")
                .hasHighCardinalityKeyValue("election.token", "42")
        }
    }

    open class Jobs {
        @LeaderOnly
        @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        open suspend fun suspending() = delay(1)

        @LeaderOnly
        @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        open fun flowing(): Flow<String> = flow {
            delay(1)
            emit("done")
        }
    }
}
