package dev.election.spring.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.autoconfigure.ElectionJobsAutoConfiguration;
import dev.election.harness.RedisBinary;
import dev.election.quartz.autoconfigure.ElectionQuartzAutoConfiguration;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What runs when the application is told to stop calls other guarded beans of its election until it has ended. */
@RealTime
class NestedShutdownTest {

    @AutoClose
    private static final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void work_of_every_form_calls_guarded_beans_of_its_election_while_the_application_stops() throws Exception {
        ConfigurableApplicationContext context = RedisApplication.run(redis, Application.class);
        Progress progress = context.getBean(Progress.class);
        assertThat(progress.begun.await(20, TimeUnit.SECONDS)).isTrue();
        Elections elections = context.getBean(Elections.class);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> elections.all().stream().noneMatch(election -> election.runIfLeader(() -> {})));
        assertThat(elections.get("reports").isLeader()).isTrue();
        await().until(() -> !progress.trace.isEmpty());
        progress.mayEnd.countDown();
        closing.get(20, TimeUnit.SECONDS);

        assertThat(progress.trace)
                .containsExactlyInAnyOrder(
                        "plain: stored null",
                        "asynchronous: stored null",
                        "reactive: stored null",
                        "Quartz: stored null",
                        "stop: stored null");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @Import({Progress.class, Repository.class, Work.class, Feed.class})
    @ImportAutoConfiguration({
        ElectionJobsAutoConfiguration.class,
        ElectionQuartzAutoConfiguration.class,
        QuartzAutoConfiguration.class
    })
    static class Application {

        @Bean
        JobDetail job() {
            return JobBuilder.newJob(QuartzJob.class)
                    .withIdentity("job")
                    .usingJobData("election", "reports")
                    .storeDurably()
                    .build();
        }

        @Bean
        Trigger trigger(JobDetail job) {
            return TriggerBuilder.newTrigger()
                    .forJob(job)
                    .withSchedule(SimpleScheduleBuilder.simpleSchedule())
                    .build();
        }
    }

    /** Begun are plain, asynchronous, reactive and Quartz work. */
    static class Progress {

        private final CountDownLatch begun = new CountDownLatch(4);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final List<String> trace = new CopyOnWriteArrayList<>();

        void awaitStop() {
            begun.countDown();
            try {
                assertThat(mayEnd.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static class Repository {

        @LeaderOnly("reports")
        public @Nullable String store() {
            return "stored";
        }

        @LeaderOnly("other")
        public @Nullable String storeOther() {
            return "stored";
        }

        @LeaderOnly("reports")
        public Mono<String> storeLater() {
            return Mono.fromSupplier(() -> "stored");
        }

        @LeaderOnly("other")
        public Mono<String> storeOtherLater() {
            return Mono.fromSupplier(() -> "stored");
        }
    }

    static class Work {

        private final Progress progress;
        private final Repository repository;

        Work(Progress progress, Repository repository) {
            this.progress = progress;
            this.repository = repository;
        }

        @LeaderOnly("reports")
        public void plain() {
            progress.awaitStop();
            progress.trace.add("plain: " + repository.store() + " " + repository.storeOther());
        }

        @Async
        @LeaderOnly("reports")
        public CompletableFuture<Void> asynchronous() {
            progress.awaitStop();
            progress.trace.add("asynchronous: " + repository.store() + " " + repository.storeOther());
            return CompletableFuture.completedFuture(null);
        }

        @LeaderOnly("reports")
        public Mono<Void> reactive() {
            return Mono.fromRunnable(progress::awaitStop)
                    .subscribeOn(Schedulers.boundedElastic())
                    .then(Mono.defer(() -> Mono.zip(
                            repository.storeLater(),
                            repository.storeOtherLater().defaultIfEmpty("null"))))
                    .doOnNext(both -> progress.trace.add("reactive: " + both.getT1() + " " + both.getT2()))
                    .then();
        }
    }

    /** Starts the work with leadership, and stores something when it stops. */
    @LeaderOnly("reports")
    static class Feed extends RecordedLifecycle {

        private final Work work;
        private final Repository repository;
        private final Progress progress;

        Feed(Work work, Repository repository, Progress progress) {
            super("feed", 0, new CopyOnWriteArrayList<>());
            this.work = work;
            this.repository = repository;
            this.progress = progress;
        }

        @Override
        public void start() {
            super.start();
            new Thread(work::plain).start();
            work.asynchronous();
            work.reactive().subscribe();
        }

        @Override
        public void stop() {
            progress.trace.add("stop: " + repository.store() + " " + repository.storeOther());
            super.stop();
        }
    }

    public static class QuartzJob implements Job {

        private final Progress progress;
        private final Repository repository;

        QuartzJob(Progress progress, Repository repository) {
            this.progress = progress;
            this.repository = repository;
        }

        @Override
        public void execute(JobExecutionContext context) {
            progress.awaitStop();
            progress.trace.add("Quartz: " + repository.store() + " " + repository.storeOther());
        }
    }
}
