package dev.election.spring.guard

import dev.election.spring.internal.interruption.Stopping;
import dev.election.ConditionalOnLeader
import dev.election.CurrentWork
import dev.election.FencingToken
import dev.election.LeaderOnly
import dev.election.NotLeaderException
import dev.election.OnLoss
import dev.election.Otherwise
import dev.election.spring.coroutines.CurrentWorkElement
import dev.election.testing.Nodes
import java.util.Optional
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.aopalliance.intercept.MethodInterceptor
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor
import org.springframework.aop.framework.Advised
import org.springframework.aop.framework.ProxyFactory
import org.springframework.aop.support.DefaultPointcutAdvisor
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.scheduling.annotation.EnableScheduling
import org.springframework.scheduling.annotation.Scheduled
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers

/** The work of a guarded suspend function lasts until its continuation, on whatever threads. */
class SuspendFunctionTest {

    private val context = GuardContext()
    private val election = context.elections.get("default")

    @Test
    fun of_a_guarded_type_runs_until_its_continuation() = runs_until_its_continuation(OfType::class.java)

    @Test
    fun that_is_guarded_itself_runs_until_its_continuation() = runs_until_its_continuation(ByItself::class.java)

    @Test
    fun behind_an_interface_proxy_runs_until_its_continuation() {
        context.with(InterfaceProxy::class.java)
        runs_until_its_continuation(Work::class.java)
    }

    private fun <T : Work> runs_until_its_continuation(type: Class<T>) {
        election.lead()
        (if (type.isInterface) context else context.with(type)).withBean(type) { bean ->
            runBlocking {
                val gate = Gate()
                val call = async(Dispatchers.Default) { bean.work { gate.pass(); "done" } }
                gate.reached.await()
                assertThat(election.runningWork()).isOne()
                gate.opened.complete(Unit)
                assertThat(call.await()).isEqualTo("done")
                assertThat(election.runningWork()).isZero()
            }
        }
    }

    @Test
    fun that_fails_ends_its_work_and_its_caller_gets_the_failure() {
        election.lead()
        guarded { bean ->
            val failure = assertThrows<Broken> { bean.work { yield(); throw Broken() } }
            assertThat(failure).isExactlyInstanceOf(Broken::class.java)
            assertThrows<Broken> { bean.work { throw Broken() } }
            assertThat(election.runningWork()).isZero()
        }
    }

    @Test
    fun is_skipped_where_the_node_does_not_lead() = guarded { bean ->
        assertThat(bean.work { "done" }).isNull()
        assertThat(bean.optional()).isEmpty()
        val unit: Any = returned { bean.unit { throw Broken() } }
        assertThat(unit).isSameAs(Unit)
        assertThat(election.admissions()).isZero()
    }

    @Test
    fun is_refused_where_that_was_asked_for() = guarded { bean ->
        assertThrows<NotLeaderException> { bean.strict() }
        election.lead()
        assertThat(bean.strict()).isEqualTo("done")
    }

    @Test
    fun finds_its_token_on_every_thread_and_leaves_none_behind() {
        election.lead()
        guarded { bean ->
            val tokens = CopyOnWriteArrayList<Optional<FencingToken>>()
            bean.work {
                tokens += FencingToken.current()
                delay(1)
                tokens += FencingToken.current()
                withContext(Dispatchers.IO) {
                    tokens += FencingToken.current()
                    yield()
                    tokens += FencingToken.current()
                    tokens += checkNotNull(currentCoroutineContext()[CurrentWorkElement.KEY]).token()
                    launch { tokens += FencingToken.current() }
                }
                tokens += FencingToken.current()
                "done"
            }
            assertThat(tokens).hasSize(7).containsOnly(Optional.of(FencingToken(1)))
            assertThat(FencingToken.current()).isEmpty()
            assertThat(currentCoroutineContext()[CurrentWorkElement.KEY]).isNull()
            withContext(Dispatchers.IO) { assertThat(FencingToken.current()).isEmpty() }
        }
    }

    @Test
    fun leaves_no_token_behind_for_a_caller_without_a_thread_of_its_own() {
        election.lead()
        guarded { bean ->
            withContext(Dispatchers.Unconfined) {
                bean.work { delay(1); "done" }
                assertThat(FencingToken.current()).isEmpty()
                runCatching { bean.work { delay(1); throw Broken() } }
                assertThat(FencingToken.current()).isEmpty()
            }
        }
    }

    @Test
    fun within_another_one_has_its_own_token_and_the_outer_one_comes_back() {
        election.lead()
        context.elections.lead("other").lead()
        guarded { bean ->
            val tokens = bean.work {
                val inner = bean.other { delay(1); FencingToken.current().toString() }
                "$inner ${FencingToken.current()}"
            }
            assertThat(tokens).isEqualTo("Optional[2] Optional[1]")
        }
    }

    @Test
    fun calls_another_one_as_a_part_of_its_work_while_the_node_resigns() {
        election.lead()
        guarded { bean ->
            assertThat(bean.work {
                withContext(Dispatchers.IO) {
                    election.resign()
                    bean.work { "part" }
                }
            }).isEqualTo("part")
            assertThat(bean.work { "not admitted" }).isNull()
        }
    }

    @Test
    fun takes_its_work_to_a_coroutine_of_another_scope() {
        election.lead()
        guarded { bean ->
            val elsewhere = CoroutineScope(Dispatchers.Default)
            val parts = bean.work {
                election.resign()
                val taken = elsewhere.async(CurrentWorkElement(CurrentWork.get())) { bean.work { "part" } }
                val left = elsewhere.async { bean.work { "part" } }
                "${taken.await()} ${left.await()}"
            }
            assertThat(parts).isEqualTo("part null")
        }
    }

    @Test
    fun runs_in_the_context_of_its_caller() {
        election.lead()
        guarded { bean ->
            withContext(CoroutineName("caller")) {
                val caller = Thread.currentThread()
                assertThat(bean.work { currentCoroutineContext()[CoroutineName]?.name }).isEqualTo("caller")
                bean.work { delay(1); assertThat(Thread.currentThread()).isSameAs(caller); null }
            }
        }
    }

    @Test
    fun is_cancelled_by_the_loss_of_leadership_if_that_was_asked_for() {
        election.lead()
        guarded { bean ->
            val gate = Gate()
            val end = CompletableDeferred<String>()
            val caller = async(Dispatchers.Unconfined) {
                runCatching {
                    bean.interruptible {
                        try {
                            gate.pass()
                        } catch (cancellation: CancellationException) {
                            end.complete(cancellation.message + " on " + Thread.currentThread().name)
                            throw cancellation
                        }
                    }
                }
            }
            gate.reached.await()
            election.follow()
            assertThat(withTimeout(10_000) { end.await() })
                .contains("'default' with token 1 was lost")
                .`as`("not on the thread that tells of the loss").contains("DefaultDispatcher")
            assertThat(caller.await().exceptionOrNull()).isInstanceOf(CancellationException::class.java)
            assertThat(election.runningWork()).isZero()
        }
    }

    @Test
    fun goes_on_after_the_loss_otherwise_and_keeps_its_token() {
        election.lead()
        guarded { bean ->
            assertThat(bean.work {
                election.follow()
                delay(1)
                FencingToken.current().orElseThrow().toString()
            }).isEqualTo("1")
            election.lead()
            bean.interruptible { election.repeatLossOf(FencingToken(1)); yield() }
        }
    }

    @Test
    fun counts_as_running_after_its_caller_was_cancelled_until_it_has_ended() {
        election.lead()
        guarded { bean ->
            val gate = Gate()
            val cleaning = Gate()
            val caller = launch(Dispatchers.Default) {
                bean.work {
                    try {
                        gate.pass()
                    } finally {
                        withContext(NonCancellable) { cleaning.pass() }
                    }
                    null
                }
            }
            gate.reached.await()
            caller.cancel()
            cleaning.reached.await()
            caller.join()
            assertThat(election.runningWork()).isOne()
            cleaning.opened.complete(Unit)
            Nodes.await("the end of the work").until { election.runningWork() == 0 }
        }
    }

    @Test
    fun is_called_once_and_within_its_work_behind_all_other_advice() {
        election.lead()
        context.with(Appending::class.java)
        guarded { bean ->
            assertThat((bean as Advised).advisors).hasSize(3)
            assertThat(bean.work { delay(1); FencingToken.current().orElseThrow().toString() }).isEqualTo("1")
            assertThat(Appending.CALLS).containsExactly("work")
        }
    }

    @Test
    fun that_is_scheduled_is_asked_for_at_each_subscription() {
        context.with(Clockwork::class.java).withBean(Clockwork::class.java) { bean ->
            election.lead()
            assertThat(bean.ticked().await(20, TimeUnit.SECONDS)).isTrue()
            assertThat(bean.tokens()).containsOnly(Optional.of(FencingToken(1)))
            Nodes.await("a tick that waits").until { election.runningWork() == 1 }
            bean.gate().complete(Unit)
            election.follow()
            Nodes.await("the end of the work").until { election.runningWork() == 0 }
        }
    }

    private fun guarded(test: suspend CoroutineScope.(OfType) -> Unit) {
        context.with(OfType::class.java).withBean(OfType::class.java) { bean -> runBlocking { test(bean) } }
    }

    /** What it really returns, which for a Unit the compiler does not look at. */
    private suspend fun <T> returned(call: suspend () -> T): T = call()

    private class Broken : Exception()

    @Test
    fun that_has_run_for_too_long_is_cancelled_and_its_work_ends_when_it_has_ended() {
        election.lead()
        context.with(LimitedCallTest.Observed::class.java, OfType::class.java).run { started ->
            val bean = started.getBean(OfType::class.java)
            runBlocking {
                val gate = Gate()
                val rest = Gate()
                val caller = async(Dispatchers.Default) {
                    runCatching {
                        bean.limited {
                            try {
                                gate.pass()
                            } finally {
                                withContext(NonCancellable) { rest.pass() }
                            }
                        }
                    }
                }
                gate.reached.await()
                assertThat(started.getBean(LimitedCallTest.Limit::class.java).reached()).isEqualTo(Stopping.CANCELLED)
                rest.reached.await()
                assertThat(election.runningWork()).isOne()
                rest.opened.complete(Unit)
                assertThat(caller.await().exceptionOrNull())
                    .isInstanceOf(CancellationException::class.java)
                    .hasMessageContaining("longer than atMostFor")
                assertThat(election.runningWork()).isZero()
            }
        }
    }

    private class Gate {
        val reached = CompletableDeferred<Unit>()
        val opened = CompletableDeferred<Unit>()

        suspend fun pass() {
            reached.complete(Unit)
            opened.await()
        }
    }

    interface Work {
        suspend fun work(body: suspend () -> String?): String?
    }

    @LeaderOnly
    open class OfType : Work {
        override suspend fun work(body: suspend () -> String?): String? = body()

        open suspend fun unit(body: suspend () -> Unit) = body()

        @LeaderOnly("other")
        open suspend fun other(body: suspend () -> String?): String? = body()

        open suspend fun optional(): Optional<String> = Optional.of("done")

        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        open suspend fun strict(): String {
            delay(1)
            return "done"
        }

        @LeaderOnly(onLoss = OnLoss.INTERRUPT)
        open suspend fun interruptible(body: suspend () -> Unit) = body()

        @LeaderOnly(atMostFor = "5m")
        open suspend fun limited(body: suspend () -> Unit) = body()
    }

    open class ByItself : Work {
        @LeaderOnly
        override suspend fun work(body: suspend () -> String?): String? {
            val result = body()
            yield()
            return result
        }
    }

    private class Final : Work {
        @LeaderOnly
        override suspend fun work(body: suspend () -> String?): String? = body()
    }

    @Configuration(proxyBeanMethods = false)
    open class InterfaceProxy {
        @Bean
        open fun work(): Work = ProxyFactory(Final()).proxy as Work
    }

    /** Puts its advice after all that is there: it goes on later and on another thread, as that for transactions may. */
    class Appending : AbstractAdvisingBeanPostProcessor() {
        init {
            advisor = DefaultPointcutAdvisor(MethodInterceptor { invocation ->
                Mono.defer {
                    CALLS += invocation.method.name
                    invocation.proceed() as Mono<*>
                }.subscribeOn(Schedulers.boundedElastic())
            })
        }

        override fun isEligible(type: Class<*>) = OfType::class.java.isAssignableFrom(type)

        companion object {
            val CALLS = CopyOnWriteArrayList<String>()
        }
    }

    @EnableScheduling
    open class Clockwork {
        private val ticked = CountDownLatch(3)
        private val gate = CompletableDeferred<Unit>()
        private val tokens = CopyOnWriteArrayList<Optional<FencingToken>>()

        open fun ticked() = ticked

        open fun gate() = gate

        open fun tokens(): List<Optional<FencingToken>> = tokens

        @LeaderOnly
        @Scheduled(fixedDelay = 1)
        open suspend fun tick() {
            delay(1)
            tokens += FencingToken.current()
            ticked.countDown()
            if (ticked.count == 0L) {
                gate.await()
            }
        }
    }
}
