package dev.election.spring.guard

import dev.election.ElectionConfigurationException
import dev.election.FencingToken
import dev.election.LeaderOnly
import dev.election.testing.ReducedClassPath
import java.io.IOException
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.core.KotlinDetector
import org.springframework.util.ClassUtils

/** What Kotlin applications need not have. */
class OptionalLibrariesTest {

    @Test
    fun without_kotlin_reflect_suspend_functions_are_guarded() =
        ReducedClassPath.without("kotlin-reflect").run(WithoutReflection::class.java)

    @Test
    fun without_the_bridge_to_reactor_a_suspend_function_is_a_startup_error_and_a_flow_is_guarded() =
        ReducedClassPath.without("kotlinx-coroutines-reactor").run(WithoutBridge::class.java)

    @Test
    fun without_coroutines_other_functions_are_guarded() =
        ReducedClassPath.without("kotlinx-").run(WithoutCoroutines::class.java)

    class WithoutReflection : Runnable {
        override fun run() {
            assertThat(KotlinDetector.isKotlinReflectPresent()).isFalse()
            val context = GuardContext().with(Suspending::class.java)
            context.withBean(Suspending::class.java) { bean ->
                runBlocking {
                    assertThat(bean.work()).isNull()
                    context.elections.lead("default")
                    assertThat(bean.work()).isEqualTo("1")
                }
            }
        }
    }

    class WithoutBridge : Runnable {
        override fun run() {
            assertThat(ClassUtils.isPresent("kotlinx.coroutines.Job", null)).isTrue()
            assertThat(GuardContext().with(Suspending::class.java).failure())
                .isInstanceOfSatisfying(ElectionConfigurationException::class.java) { rejection ->
                    assertThat(rejection).hasMessageContaining("Suspending.work(").hasMessageContaining("kotlinx-coroutines-reactor")
                    assertThat(rejection.action).contains("org.jetbrains.kotlinx:kotlinx-coroutines-reactor")
                }
            val context = GuardContext().with(Flowing::class.java)
            context.withBean(Flowing::class.java) { bean ->
                runBlocking {
                    assertThat(bean.work().toList()).isEmpty()
                    context.elections.lead("default")
                    assertThat(bean.work().toList()).containsExactly("1")
                    assertThrows<IOException> { bean.broken().toList() }
                }
            }
        }
    }

    class WithoutCoroutines : Runnable {
        override fun run() {
            val context = GuardContext().with(Plain::class.java)
            context.withBean(Plain::class.java) { bean ->
                assertThat(bean.work()).isNull()
                context.elections.lead("default")
                assertThat(bean.work()).isEqualTo("1")
            }
        }
    }

    open class Suspending {
        @LeaderOnly
        open suspend fun work(): String? {
            delay(1)
            return FencingToken.current().orElseThrow().toString()
        }
    }

    open class Flowing {
        @LeaderOnly
        open fun work(): Flow<String> = flow {
            delay(1)
            emit(FencingToken.current().orElseThrow().toString())
        }

        @LeaderOnly
        open fun broken(): Flow<String> = throw IOException()
    }

    open class Plain {
        @LeaderOnly
        open fun work(): String? = FencingToken.current().orElseThrow().toString()
    }
}
