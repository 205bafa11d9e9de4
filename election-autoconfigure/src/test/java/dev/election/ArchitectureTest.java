package dev.election;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import java.time.Instant;

/** Who may know whom. Imports run downwards only. */
@AnalyzeClasses(packages = "dev.election", importOptions = ArchitectureTest.NoTests.class)
class ArchitectureTest {

    /** Those of the other modules come in jars of their own, or in a folder while they are not packaged. */
    static final class NoTests implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/") && !location.contains("-tests.jar");
        }
    }

    /** And the little that anybody may know besides it. */
    private static final String[] JDK = {"java..", "org.jspecify..", "dev.election.text"};

    @ArchTest
    static final ArchRule the_public_api_knows_the_jdk_alone = only("dev.election", "dev.election");

    @ArchTest
    static final ArchRule text_knows_the_jdk_alone = only("dev.election.text", "dev.election.text");

    @ArchTest
    static final ArchRule coroutines_know_the_api_and_kotlin_alone = only(
            "dev.election.coroutines", "dev.election", "dev.election.coroutines", "kotlin..", "kotlinx.coroutines");

    @ArchTest
    static final ArchRule the_store_knows_the_api_alone =
            only("dev.election.store", "dev.election", "dev.election.store");

    @ArchTest
    static final ArchRule the_ledger_knows_the_api_and_the_logbook_of_the_store =
            only("dev.election.ledger", "dev.election", "dev.election.store", "dev.election.ledger", "org.slf4j");

    @ArchTest
    static final ArchRule the_engine_knows_no_store_and_no_framework = only(
            "dev.election.engine",
            "dev.election",
            "dev.election.store",
            "dev.election.protocol",
            "dev.election.engine",
            "org.slf4j");

    @ArchTest
    static final ArchRule the_protocol_knows_what_a_store_answers_and_nothing_else =
            only("dev.election.protocol", "dev.election", "dev.election.store", "dev.election.protocol");

    @ArchTest
    static final ArchRule the_redis_store_does_not_know_the_engine = only(
            "dev.election.redis",
            "dev.election",
            "dev.election.store",
            "dev.election.redis",
            "dev.election.redis.connection",
            "io.lettuce..");

    @ArchTest
    static final ArchRule the_connection_is_made_with_lettuce_alone = only(
            "dev.election.redis.connection",
            "dev.election",
            "dev.election.store",
            "dev.election.redis.connection",
            "org.slf4j",
            "io.lettuce..",
            "io.netty..",
            "reactor.core..");

    @ArchTest
    static final ArchRule the_connection_knows_problems_of_a_store_and_nothing_of_elections = noClasses()
            .that()
            .resideInAPackage("dev.election.redis.connection")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.election", "dev.election.store")
                    .and(not(belongToAnyOf(StoreProblem.class, NoAnswer.class, LeaseStore.Subscription.class))));

    @ArchTest
    static final ArchRule the_bridge_knows_the_store_and_runs_scripts = only(
            "dev.election.redis.bridge",
            "dev.election",
            "dev.election.store",
            "dev.election.redis",
            "dev.election.redis.connection",
            "dev.election.redis.bridge",
            "org.slf4j");

    @ArchTest
    static final ArchRule nobody_knows_the_bridge_but_its_wiring = noClasses()
            .that()
            .resideOutsideOfPackages("dev.election.redis.bridge", "dev.election.autoconfigure.bridge")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.election.redis.bridge", "dev.election.autoconfigure.bridge");

    @ArchTest
    static final ArchRule guards_know_the_api_and_spring_alone = only(
            "dev.election.aop",
            "dev.election",
            "dev.election.aop",
            "dev.election.coroutines",
            "kotlin..",
            "kotlinx.coroutines..",
            "org.aopalliance..",
            "org.reactivestreams",
            "reactor.core..",
            "reactor.util.context",
            "org.springframework.aop..",
            "org.springframework.beans..",
            "org.springframework.context..",
            "org.springframework.core..",
            "org.springframework.format.datetime.standard",
            "org.springframework.util..");

    @ArchTest
    static final ArchRule scheduling_knows_the_guards_the_ledger_and_spring = only(
            "dev.election.scheduling",
            "dev.election",
            "dev.election.aop",
            "dev.election.ledger",
            "dev.election.scheduling",
            "dev.election.text",
            "org.reactivestreams",
            "org.slf4j",
            "org.springframework.aop.support",
            "org.springframework.beans.factory",
            "org.springframework.core..",
            "org.springframework.scheduling..",
            "org.springframework.util..",
            "reactor.core..");

    @ArchTest
    static final ArchRule fences_know_the_api_proxies_transactions_and_bytecode = only(
            "dev.election.fencing",
            "dev.election",
            "dev.election.aop",
            "dev.election.fencing",
            "javax.sql",
            "org.aopalliance..",
            "org.slf4j",
            "org.springframework.aop..",
            "org.springframework.asm",
            "org.springframework.beans..",
            "org.springframework.context.annotation",
            "org.springframework.core..",
            "org.springframework.dao",
            "org.springframework.jdbc..",
            "org.springframework.transaction..",
            "org.springframework.util..");

    @ArchTest
    static final ArchRule fences_in_redis_know_spring_data = only(
            "dev.election.fencing.redis",
            "dev.election",
            "dev.election.fencing",
            "dev.election.fencing.redis",
            "org.springframework.data.redis.core..");

    @ArchTest
    static final ArchRule fences_between_services_know_spring_web = only(
            "dev.election.fencing.http",
            "dev.election",
            "dev.election.aop",
            "dev.election.fencing",
            "dev.election.fencing.http",
            "jakarta.servlet.http",
            "org.slf4j",
            "org.springframework.aop.framework.autoproxy",
            "org.springframework.beans.factory.config",
            "org.springframework.core..",
            "org.springframework.http..",
            "org.springframework.util..",
            "org.springframework.web..",
            "reactor.core.publisher",
            "reactor.util.context");

    @ArchTest
    static final ArchRule contracts_of_stores_know_the_store_and_the_tools_of_tests = only(
            "dev.election.store.test",
            "dev.election",
            "dev.election.store",
            "dev.election.store.test",
            "org.assertj.core..",
            "org.junit.jupiter.api");

    @ArchTest
    static final ArchRule the_lifecycle_knows_the_api_and_spring_alone = only(
            "dev.election.lifecycle",
            "dev.election",
            "dev.election.lifecycle",
            "org.slf4j",
            "org.springframework.beans..",
            "org.springframework.boot.context.event",
            "org.springframework.context..",
            "org.springframework.core..");

    @ArchTest
    static final ArchRule quartz_knows_the_api_the_ledger_and_the_logbook_of_the_store = only(
            "dev.election.quartz",
            "dev.election",
            "dev.election.ledger",
            "dev.election.store",
            "dev.election.quartz",
            "org.quartz..",
            "org.slf4j",
            "org.springframework.beans..",
            "org.springframework.core..",
            "org.springframework.util..");

    @ArchTest
    static final ArchRule the_watch_knows_the_api_alone =
            only("dev.election.watch", "dev.election", "dev.election.watch", "org.slf4j");

    @ArchTest
    static final ArchRule the_actuator_shows_what_the_api_and_the_watch_say = only(
            "dev.election.actuate",
            "dev.election",
            "dev.election.actuate",
            "dev.election.watch",
            "com.fasterxml.jackson.annotation",
            "org.springframework.aot.hint",
            "org.springframework.boot.actuate..",
            "org.springframework.boot.convert",
            "org.springframework.boot.health.contributor");

    @ArchTest
    static final ArchRule meters_know_no_framework = only(
            "dev.election.metrics",
            "dev.election",
            "dev.election.store",
            "dev.election.metrics",
            "dev.election.watch",
            "io.micrometer.core.instrument");

    @ArchTest
    static final ArchRule the_doctor_knows_no_store = only(
            "dev.election.doctor",
            "dev.election.doctor",
            "org.slf4j",
            "org.springframework.beans.factory",
            "org.springframework.boot",
            "org.springframework.boot.context.event",
            "org.springframework.context",
            "org.springframework.context.event",
            "org.springframework.core.annotation");

    @ArchTest
    static final ArchRule nobody_knows_the_wiring = noClasses()
            .that()
            .resideOutsideOfPackage("dev.election.autoconfigure..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.election.autoconfigure..");

    @ArchTest
    static final ArchRule rooms_are_free_of_cycles =
            slices().matching("dev.election.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_protocol_has_no_clock_no_thread_and_no_chance = noClasses()
            .that()
            .resideInAPackage("dev.election.protocol")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                    "java\\.lang\\.Thread.*|java\\.util\\.concurrent\\..*|java\\.util\\.Random|java\\.security\\..*"
                            + "|java\\.time\\.Clock|java\\.io\\..*|java\\.net\\..*|java\\.nio\\..*"
                            + "|java\\.lang\\.System|java\\.lang\\.Runtime|java\\.util\\.UUID|java\\.util\\.Timer.*"
                            + "|java\\.util\\.SplittableRandom|java\\.util\\.random\\..*")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Math.class, "random");

    @ArchTest
    static final ArchRule no_mutable_statics =
            noFields().that().areStatic().should().notHaveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule names_say_what_a_type_is = noClasses()
            .should()
            .haveNameMatching(".*(Utils?|Helper|Manager|Impl)")
            .because("such names say nothing");

    @ArchTest
    static final ArchRule nobody_prints =
            noClasses().should().accessField(System.class, "out").orShould().accessField(System.class, "err");

    private static ArchRule only(String room, String... mayKnow) {
        return classes()
                .that()
                .resideInAPackage(room)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(mayKnow)
                        .or(resideInAnyPackage(JDK))
                        .and(resideOutsideOfPackages("sun..", "com.sun..")));
    }
}
