package dev.election.autoconfigure

import dev.election.CurrentWork
import dev.election.ElectionConfigurationException
import dev.election.FencingToken
import dev.election.Partition
import dev.election.Partitioned
import dev.election.spring.coroutines.CurrentWorkElement
import dev.election.store.LeaseStore
import dev.election.store.test.InMemoryLeaseStore
import dev.election.testing.Nodes
import java.util.concurrent.ConcurrentHashMap
import java.util.function.Supplier
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.context.annotation.Configuration
import org.springframework.scheduling.annotation.EnableScheduling
import org.springframework.scheduling.annotation.Scheduled

/** Partitioned functions of Kotlin classes. */
class PartitionedFunctionTest {

    @Configuration
    @EnableScheduling
    open class Scheduling

    /** The tokens of the partitions that have been worked on, in a coroutine on another thread. */
    class Worked : ConcurrentHashMap<Int, FencingToken>()

    open class Blocking(private val worked: Worked) {

        @Partitioned("orders")
        @Scheduled(fixedDelay = 10)
        open fun work() = runBlocking(CurrentWorkElement(CurrentWork.get())) {
            withContext(Dispatchers.Default) {
                val partition = Partition.current()
                worked[partition.index()] = FencingToken.current().orElseThrow()
            }
            Unit
        }
    }

    @Test
    fun that_block_run_for_each_partition_and_pass_their_work_on_to_coroutines() {
        val worked = Worked()
        application()
            .withBean(Worked::class.java, Supplier { worked })
            .withBean(Blocking::class.java)
            .run { context ->
                assertThat(context).hasNotFailed()
                Nodes.await("each partition").until { worked.keys == setOf(0, 1, 2, 3) }
            }
    }

    open class Suspending {

        @Partitioned("orders")
        @Scheduled(fixedDelay = 10)
        open suspend fun work() {}
    }

    @Test
    fun that_suspend_fail_the_start() {
        application().withBean(Suspending::class.java).run { context ->
            val failure = generateSequence(context.startupFailure) { it.cause }
                .filterIsInstance<ElectionConfigurationException>()
                .first()
            assertThat(failure).hasMessageContaining("Suspending.work(").hasMessageContaining("it suspends")
            assertThat(failure.action).contains("Remove 'suspend'").contains("CurrentWorkElement")
        }
    }

    private fun application(): ApplicationContextRunner = ElectionContext.inMemory()
        .withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration::class.java))
        .withUserConfiguration(Scheduling::class.java)
        .withAllowBeanDefinitionOverriding(true)
        .withBean(LeaseStore::class.java, Supplier { InMemoryLeaseStore() })
        .withPropertyValues("election.lease=2s", "election.partitions.orders.count=4")
}
