package dev.election.spring.guard

import dev.election.ConditionalOnLeader
import dev.election.FencingToken
import dev.election.LeaderOnly
import dev.election.NotLeaderException
import dev.election.Otherwise
import dev.election.testing.HandDrivenElection
import java.util.Optional
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.scheduling.annotation.EnableScheduling
import org.springframework.scheduling.annotation.Scheduled

/** What a function that returns a flow describes is done when somebody collects it, and only then does the guard decide. */
class FlowTest {

    private val context = GuardContext()
    private val election: HandDrivenElection = context.elections.get("default")

    @Test
    fun a_flow_that_was_asked_for_before_the_election_is_collected_once_the_node_leads() = guarded { bean ->
        val flow = bean.described { flow { emit("one"); emit("two") } }
        val strict = bean.strict()
        assertThat(flow.toList()).isEmpty()
        assertThrows<NotLeaderException> { strict.toList() }
        election.lead()
        assertThat(flow.toList()).containsExactly("one", "two")
        assertThat(strict.toList()).containsExactly("done")
        election.follow()
        assertThat(flow.toList()).isEmpty()
    }

    @Test
    fun a_flow_runs_with_each_collection_until_its_end() {
        election.lead()
        guarded { bean ->
            val reached = CompletableDeferred<Unit>()
            val opened = CompletableDeferred<Unit>()
            val flow = bean.described { flow { reached.complete(Unit); opened.await(); emit("done") } }
            assertThat(election.runningWork()).isZero()
            val collected = async(Dispatchers.Default) { flow.toList() }
            reached.await()
            assertThat(election.runningWork()).isOne()
            opened.complete(Unit)
            assertThat(collected.await()).containsExactly("done")
            assertThat(election.runningWork()).isZero()
        }
    }

    @Test
    fun a_flow_that_fails_is_cancelled_or_has_been_enough_ends_its_work() {
        election.lead()
        guarded { bean ->
            assertThrows<IllegalStateException> { bean.described<String> { error("broken") }.toList() }
            assertThrows<IllegalStateException> { bean.described { flow<String> { delay(1); error("broken") } }.toList() }
            assertThat(bean.described { flow { while (true) emit("one") } }.first()).isEqualTo("one")
            val reached = CompletableDeferred<Unit>()
            val collecting = launch { bean.described { flow<String> { reached.complete(Unit); awaitCancellation() } }.toList() }
            reached.await()
            collecting.cancelAndJoin()
            assertThat(election.runningWork()).isZero()
        }
    }

    @Test
    fun a_flow_finds_its_token_on_every_thread_and_its_collector_does_not() {
        election.lead()
        guarded { bean ->
            val inside = CopyOnWriteArrayList<Optional<FencingToken>>()
            val outside = CopyOnWriteArrayList<Optional<FencingToken>>()
            val source = flow {
                repeat(2) {
                    inside += FencingToken.current()
                    delay(1)
                    inside += FencingToken.current()
                    emit("value")
                    inside += FencingToken.current()
                }
            }
            for (described in listOf(source, source.flowOn(Dispatchers.IO))) {
                bean.described { described }.collect {
                    outside += FencingToken.current()
                    delay(1)
                    outside += FencingToken.current()
                }
                outside += FencingToken.current()
            }
            assertThat(inside).hasSize(12).containsOnly(Optional.of(FencingToken(1)))
            assertThat(outside).hasSize(10).containsOnly(Optional.empty())
            flow { emitAll(bean.described { source }) }.collect()
        }
    }

    @Test
    fun a_flow_is_collected_in_the_context_of_its_collector_and_one_by_one() {
        election.lead()
        guarded { bean ->
            val trace = ArrayList<String>()
            val names = flow { repeat(2) { trace += "emits"; emit(currentCoroutineContext()[CoroutineName]?.name) } }
            launch(CoroutineName("collector")) { bean.described { names }.collect { trace += "collects for $it" } }.join()
            assertThat(trace).containsExactly("emits", "collects for collector", "emits", "collects for collector")
        }
    }

    @Test
    fun a_part_of_the_work_of_a_flow_is_admitted_while_the_node_resigns() {
        election.lead()
        guarded { bean ->
            val part = bean.described { flow { emit("part") } }
            assertThat(bean.described { flow { election.resign(); delay(1); emit(part.first()) } }.toList()).containsExactly("part")
            assertThat(part.toList()).isEmpty()
        }
    }

    @Test
    fun a_scheduled_flow_runs_on_the_leader() {
        context.with(Clockwork::class.java).withBean(Clockwork::class.java) { bean ->
            election.lead()
            assertThat(bean.ticked().await(20, TimeUnit.SECONDS)).isTrue()
        }
    }

    private fun guarded(test: suspend kotlinx.coroutines.CoroutineScope.(Worker) -> Unit) {
        context.with(Worker::class.java).withBean(Worker::class.java) { bean -> runBlocking { test(bean) } }
    }

    @LeaderOnly
    open class Worker {
        open fun <T> described(body: () -> Flow<T>): Flow<T> = body()

        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        open fun strict(): Flow<String> = flow { emit("done") }
    }

    @EnableScheduling
    open class Clockwork {
        private val ticked = CountDownLatch(3)

        open fun ticked() = ticked

        @LeaderOnly
        @Scheduled(fixedRate = 1)
        open fun tick(): Flow<String> = flow { delay(1); ticked.countDown(); emit("tick") }
    }
}
