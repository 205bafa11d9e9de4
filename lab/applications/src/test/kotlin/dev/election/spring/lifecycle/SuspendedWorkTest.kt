package dev.election.spring.lifecycle

import dev.election.testing.RealTime
import dev.election.AbdicationOutcome
import dev.election.Election
import dev.election.Elections
import dev.election.FencingToken
import dev.election.LeaderOnly
import dev.election.OnLoss
import dev.election.harness.RedisBinary
import dev.election.testing.Nodes
import dev.election.testing.RedisServer
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.scheduling.annotation.EnableScheduling
import org.springframework.scheduling.annotation.Scheduled

/** Scheduled suspend functions of two applications on one Redis. */
@RealTime
class SuspendedWorkTest {

    private val redis = RedisServer.start(RedisBinary.REDIS_7_0)
    private val applications = ArrayList<ConfigurableApplicationContext>()

    @AfterEach
    fun close() {
        applications.forEach { it.close() }
        redis.close()
    }

    @Test
    fun a_leader_that_abdicates_waits_for_the_suspended_work() {
        val first = start(Jobs::class.java)
        val job = first.getBean(Jobs::class.java).job()
        val token = awaited(job.begun)
        val second = start(Jobs::class.java)
        val next = second.getBean(Jobs::class.java).job()

        assertThat(election(first).runningWork()).isOne()
        val abdication = election(first).abdicate().toCompletableFuture()
        Nodes.await("nothing is admitted any more").until { election(first).beginWork().isEmpty }
        repeat(2) { awaitRenewal() }
        assertThat(abdication).isNotDone()
        assertThat(election(first).runningWork()).isOne()
        assertThat(election(first).leadership().orElseThrow().token()).isEqualTo(token)
        assertThat(next.begun.isCompleted).isFalse()

        job.mayEnd.complete(Unit)
        assertThat(abdication.get(20, TimeUnit.SECONDS)).isEqualTo(AbdicationOutcome.RELEASED)
        assertThat(awaited(next.begun)).isGreaterThan(token)
        assertThat(job.trace).containsExactly("begun", "ended with token $token as the leader")
        next.mayEnd.complete(Unit)
    }

    @Test
    fun a_leader_that_is_cut_off_cancels_the_suspended_work() {
        val application = start(InterruptibleJobs::class.java)
        val jobs = application.getBean(InterruptibleJobs::class.java)
        val token = awaited(jobs.begun())
        redis.kill()
        assertThat(awaited(jobs.cancelled())).isEqualTo("Leadership of election 'reports' with token $token was lost")
        Nodes.await("the end of the work").until { election(application).runningWork() == 0 }
    }

    private fun start(jobs: Class<*>) = RedisApplication.run(redis, jobs).also { applications += it }

    private fun election(application: ConfigurableApplicationContext): Election =
        application.getBean(Elections::class.java)["reports"]

    private fun <T> awaited(event: CompletableDeferred<T>): T = runBlocking { withTimeout(20_000) { event.await() } }

    /** The lease has more time left than it had a moment ago. */
    private fun awaitRenewal() {
        var last = Long.MAX_VALUE
        Nodes.await("a renewal").until {
            val left = redis.call { commands -> commands.pttl("election:{reports}:lease") }
            (left > last).also { last = left }
        }
    }

    /** The first run of a job. */
    class Job {
        val begun = CompletableDeferred<FencingToken>()
        val mayEnd = CompletableDeferred<Unit>()
        val trace = CopyOnWriteArrayList<String>()
    }

    @EnableScheduling
    open class Jobs(private val elections: Elections) {
        private val job = Job()

        open fun job() = job

        @Scheduled(fixedDelay = 10)
        @LeaderOnly("reports")
        open suspend fun work() {
            if (!job.begun.isCompleted) {
                job.trace += "begun"
                job.begun.complete(FencingToken.current().orElseThrow())
                job.mayEnd.await()
                withContext(Dispatchers.IO) {
                    delay(1)
                    val leads = if (elections["reports"].isLeader) "as the leader" else "too late"
                    job.trace += "ended with token ${FencingToken.current().orElse(null)} $leads"
                }
            }
        }
    }

    @EnableScheduling
    open class InterruptibleJobs {
        private val begun = CompletableDeferred<FencingToken>()
        private val cancelled = CompletableDeferred<String?>()

        open fun begun() = begun

        open fun cancelled() = cancelled

        @Scheduled(fixedDelay = 10)
        @LeaderOnly("reports", onLoss = OnLoss.INTERRUPT)
        open suspend fun work() {
            begun.complete(FencingToken.current().orElseThrow())
            try {
                awaitCancellation()
            } catch (cancellation: CancellationException) {
                cancelled.complete(cancellation.message)
                throw cancellation
            }
        }
    }
}
