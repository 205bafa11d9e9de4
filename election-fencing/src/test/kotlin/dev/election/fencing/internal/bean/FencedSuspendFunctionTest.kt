package dev.election.fencing.internal.bean

import dev.election.fencing.internal.transaction.FencingDatabase
import dev.election.fencing.internal.transaction.FencingNode
import dev.election.fencing.Fenced
import kotlinx.coroutines.delay
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.catchThrowable
import org.junit.jupiter.api.Test
import org.springframework.core.NestedExceptionUtils
import org.springframework.transaction.annotation.Transactional

class FencedSuspendFunctionTest {

    @Test
    fun a_suspend_function_is_refused_at_the_start() {
        FencingDatabase.h2().use { database ->
            val failure = catchThrowable { FencingNode(database.pool(), Suspending::class.java).close() }

            assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
                .hasMessageContaining("Suspending.work(")
                .hasMessageContaining("a suspend function has no transaction of JDBC")
        }
    }

    open class Suspending {

        @Transactional
        @Fenced(resource = "r")
        open suspend fun work() = delay(1)
    }
}
