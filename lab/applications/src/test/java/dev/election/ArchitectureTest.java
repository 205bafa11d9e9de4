package dev.election;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
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
    private static final String[] JDK = {"java..", "org.jspecify..", "dev.election.support"};

    @ArchTest
    static final ArchTests exported = ArchTests.in(ExportedTypes.class);

    @ArchTest
    static final ArchRule the_public_api_knows_the_jdk_alone = classes()
            .that(resideInAPackage("dev.election").and(not(belongToAnyOf(ElectionEngine.class))))
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("dev.election").or(resideInAnyPackage(JDK)));

    @ArchTest
    static final ArchRule text_knows_the_jdk_alone = only("dev.election.support", "dev.election.support");

    @ArchTest
    static final ArchRule coroutines_know_the_api_and_kotlin_alone = only(
            "dev.election.spring.coroutines",
            "dev.election",
            "dev.election.spring.coroutines",
            "kotlin..",
            "kotlinx.coroutines");

    @ArchTest
    static final ArchRule contexts_know_the_api_and_reactor_alone =
            only("dev.election.spring.reactor", "dev.election", "dev.election.spring.reactor", "reactor.util.context");

    @ArchTest
    static final ArchRule context_propagation_knows_the_api_alone = only(
            "dev.election.spring.internal.context",
            "dev.election",
            "dev.election.spring.internal.context",
            "io.micrometer.context");

    @ArchTest
    static final ArchRule the_store_knows_the_api_alone =
            only("dev.election.store", "dev.election", "dev.election.members", "dev.election.store");

    @ArchTest
    static final ArchRule members_know_the_jdk_alone = only("dev.election.members", "dev.election.members");

    @ArchTest
    static final ArchRule records_know_what_a_store_provides = only(
            "dev.election.record",
            "dev.election",
            "dev.election.members",
            "dev.election.store",
            "dev.election.record",
            "org.slf4j");

    @ArchTest
    static final ArchRule the_ledger_knows_the_api_and_what_a_store_provides = only(
            "dev.election.jobs.internal",
            "dev.election.jobs",
            "dev.election",
            "dev.election.store",
            "dev.election.jobs.internal",
            "org.slf4j");

    @ArchTest
    static final ArchRule the_engine_knows_no_store_and_no_framework = only(
            "dev.election.internal.engine",
            "dev.election",
            "dev.election.members",
            "dev.election.store",
            "dev.election.internal.protocol",
            "dev.election.internal.messages",
            "dev.election.internal.steering",
            "dev.election.internal.engine",
            "org.slf4j",
            "org.slf4j.event",
            "org.slf4j.spi");

    @ArchTest
    static final ArchRule steering_knows_the_api_alone = only(
            "dev.election.internal.steering", "dev.election", "dev.election.members", "dev.election.internal.steering");

    @ArchTest
    static final ArchRule messages_know_the_members_alone = only(
            "dev.election.internal.messages", "dev.election.members", "dev.election.internal.messages", "org.slf4j");

    @ArchTest
    static final ArchRule the_protocol_knows_what_a_store_answers_and_nothing_else = only(
            "dev.election.internal.protocol", "dev.election", "dev.election.store", "dev.election.internal.protocol");

    @ArchTest
    static final ArchRule the_redis_store_does_not_know_the_engine = only(
            "dev.election.redis",
            "dev.election",
            "dev.election.members",
            "dev.election.store",
            "dev.election.redis",
            "dev.election.redis.internal",
            "io.lettuce..");

    @ArchTest
    static final ArchRule the_connection_is_made_with_lettuce_alone = only(
            "dev.election.redis.internal",
            "dev.election",
            "dev.election.store",
            "dev.election.redis",
            "dev.election.redis.internal",
            "org.slf4j",
            "io.lettuce..",
            "io.netty..",
            "reactor.core..");

    @ArchTest
    static final ArchRule the_connection_knows_problems_of_a_store_and_nothing_of_elections = noClasses()
            .that()
            .resideInAPackage("dev.election.redis.internal")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.election", "dev.election.store")
                    .and(not(belongToAnyOf(StoreProblem.class, NoAnswer.class, LeaseStore.Subscription.class))));

    @ArchTest
    static final ArchRule the_bridge_knows_the_store_and_runs_scripts = only(
            "dev.election.redis.bridge",
            "dev.election",
            "dev.election.store",
            "dev.election.redis",
            "dev.election.redis.internal",
            "dev.election.redis.bridge",
            "org.slf4j");

    @ArchTest
    static final ArchRule nobody_knows_the_bridge = noClasses()
            .that()
            .resideOutsideOfPackage("dev.election.redis.bridge..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.election.redis.bridge..");

    @ArchTest
    static final ArchRule the_protocol_and_the_engine_are_for_the_core_and_for_tests_of_elections =
            internal("dev.election.internal..", "dev.election", "dev.election.test");

    @ArchTest
    static final ArchRule the_ledger_is_for_who_schedules = internal(
            "dev.election.jobs.internal..",
            "dev.election.jobs",
            "dev.election.spring.internal.scheduling",
            "dev.election.quartz..",
            "dev.election.autoconfigure..");

    @ArchTest
    static final ArchRule guards_and_life_cycle_are_for_the_modules_of_spring = internal(
            "dev.election.spring.internal..",
            "dev.election.quartz..",
            "dev.election.fencing..",
            "dev.election.routing.autoconfigure",
            "dev.election.autoconfigure..",
            "dev.election.redis.autoconfigure",
            "dev.election.test");

    @ArchTest
    static final ArchRule the_connection_to_redis_is_for_its_store_and_the_bridge =
            internal("dev.election.redis.internal..", "dev.election.redis..");

    @ArchTest
    static final ArchRule shared_wiring_is_for_wiring = internal(
            "dev.election.autoconfigure.internal..",
            "dev.election.autoconfigure",
            "dev.election.redis.autoconfigure",
            "dev.election.redis.bridge.autoconfigure",
            "dev.election.quartz.autoconfigure",
            "dev.election.fencing.autoconfigure",
            "dev.election.routing.autoconfigure");

    @ArchTest
    static final ArchRule jobs_of_quartz_are_for_that_module =
            internal("dev.election.quartz.internal..", "dev.election.quartz..");

    @ArchTest
    static final ArchRule fences_are_for_that_module =
            internal("dev.election.fencing.internal..", "dev.election.fencing..");

    @ArchTest
    static final ArchRule routing_is_for_that_module =
            internal("dev.election.routing.internal..", "dev.election.routing..");

    @ArchTest
    static final ArchRule the_wiring_of_an_application_names_no_store_and_no_integration = noClasses()
            .that()
            .resideInAPackage("dev.election.autoconfigure..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "dev.election.redis..",
                    "dev.election.quartz..",
                    "dev.election.fencing..",
                    "dev.election.routing..",
                    "io.lettuce..",
                    "org.quartz..",
                    "org.springframework.data.."));

    @ArchTest
    static final ArchRule guards_know_the_api_and_spring_alone = only(
            "dev.election.spring.internal.guard",
            "dev.election",
            "dev.election.spring.internal.guard",
            "dev.election.spring.coroutines",
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
            "dev.election.spring.internal.scheduling",
            "dev.election.jobs",
            "dev.election",
            "dev.election.spring.internal.guard",
            "dev.election.jobs.internal",
            "dev.election.spring.internal.scheduling",
            "dev.election.support",
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
            "dev.election.fencing.internal",
            "dev.election.fencing.internal",
            "dev.election.spring.internal.guard",
            "dev.election",
            "dev.election.spring.internal.guard",
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
            "dev.election.spring.internal.guard",
            "dev.election.spring.reactor",
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
    static final ArchRule routing_knows_the_api_the_members_and_a_client = only(
            "dev.election.routing.internal",
            "dev.election",
            "dev.election.members",
            "dev.election.routing",
            "dev.election.routing.internal",
            "io.netty.channel",
            "io.netty.handler.codec.http",
            "io.netty.handler.ssl",
            "io.netty.handler.timeout",
            "io.netty.util",
            "org.reactivestreams",
            "org.slf4j",
            "org.springframework.core..",
            "org.springframework.http..",
            "org.springframework.util..",
            "org.springframework.web",
            "org.springframework.web.method",
            "org.springframework.web.util.pattern",
            "reactor.core..",
            "reactor.netty..");

    @ArchTest
    static final ArchRule routing_of_servlets_knows_no_other_server = only(
            "dev.election.routing.internal.servlet",
            "dev.election",
            "dev.election.routing.internal",
            "dev.election.routing.internal.servlet",
            "jakarta.servlet..",
            "org.reactivestreams",
            "org.slf4j",
            "org.springframework.core",
            "org.springframework.core.io.buffer",
            "org.springframework.http..",
            "org.springframework.util..",
            "org.springframework.web..",
            "reactor.core..");

    @ArchTest
    static final ArchRule routing_of_webflux_knows_no_other_server = only(
            "dev.election.routing.internal.reactive",
            "dev.election",
            "dev.election.routing.internal",
            "dev.election.routing.internal.reactive",
            "org.reactivestreams",
            "org.springframework.core",
            "org.springframework.core.io.buffer",
            "org.springframework.http..",
            "org.springframework.util..",
            "org.springframework.web.method",
            "org.springframework.web.reactive..",
            "org.springframework.web.server",
            "reactor.core..",
            "reactor.util.context");

    @ArchTest
    static final ArchRule contracts_of_stores_know_the_store_and_the_tools_of_tests = only(
            "dev.election.store.test",
            "dev.election",
            "dev.election.members",
            "dev.election.record",
            "dev.election.store",
            "dev.election.store.test",
            "org.assertj.core..",
            "org.junit.jupiter.api");

    @ArchTest
    static final ArchRule the_lifecycle_knows_the_api_the_guards_and_spring_alone = only(
            "dev.election.spring.internal.lifecycle",
            "dev.election",
            "dev.election.spring",
            "dev.election.spring.internal.guard",
            "dev.election.spring.internal.lifecycle",
            "org.slf4j",
            "org.springframework.beans..",
            "org.springframework.boot.context.event",
            "org.springframework.context..",
            "org.springframework.core..");

    @ArchTest
    static final ArchRule the_types_of_settings_know_nothing_else = only("dev.election.spring", "dev.election.spring");

    @ArchTest
    static final ArchRule handlers_of_messages_know_the_api_and_spring_alone = only(
            "dev.election.spring.internal.members",
            "dev.election",
            "dev.election.members",
            "dev.election.spring.internal.members",
            "dev.election.spring.internal.guard",
            "org.springframework.aop..",
            "org.springframework.aot..",
            "org.springframework.beans..",
            "org.springframework.context.annotation",
            "org.springframework.core..",
            "org.springframework.util..");

    @ArchTest
    static final ArchRule quartz_knows_the_api_the_ledger_and_the_ledgerStore_of_the_store = only(
            "dev.election.quartz.internal",
            "dev.election.jobs",
            "dev.election.jobs.internal",
            "dev.election.quartz.internal",
            "dev.election.spring.internal.guard",
            "dev.election",
            "dev.election.jobs.internal",
            "dev.election.store",
            "dev.election.quartz",
            "org.quartz..",
            "org.slf4j",
            "org.springframework.beans..",
            "org.springframework.core..",
            "org.springframework.util..");

    @ArchTest
    static final ArchRule the_watch_knows_the_api_and_guarded_calls_alone = only(
            "dev.election.autoconfigure.internal.watch",
            "dev.election",
            "dev.election.members",
            "dev.election.spring.internal.guard",
            "dev.election.autoconfigure.internal.watch",
            "org.slf4j");

    @ArchTest
    static final ArchRule the_actuator_shows_what_the_api_and_the_watch_say = only(
            "dev.election.autoconfigure.internal.actuate",
            "dev.election.jobs",
            "dev.election",
            "dev.election.members",
            "dev.election.autoconfigure.internal.actuate",
            "dev.election.autoconfigure.internal.watch",
            "com.fasterxml.jackson.annotation",
            "org.springframework.aot.hint",
            "org.springframework.boot.actuate..",
            "org.springframework.boot.convert",
            "org.springframework.boot.health.contributor");

    @ArchTest
    static final ArchRule the_page_serves_files_alone = only(
            "dev.election.autoconfigure.internal.console",
            "dev.election.autoconfigure.internal.console",
            "org.springframework.aot.hint",
            "org.springframework.boot.actuate.endpoint..",
            "org.springframework.core.io",
            "org.springframework.util");

    @ArchTest
    static final ArchRule meters_know_no_framework = only(
            "dev.election.autoconfigure.internal.metrics",
            "dev.election.jobs",
            "dev.election",
            "dev.election.members",
            "dev.election.store",
            "dev.election.spring.internal.guard",
            "dev.election.spring.internal.scheduling",
            "dev.election.autoconfigure.internal.metrics",
            "dev.election.autoconfigure.internal.watch",
            "io.micrometer.core.instrument");

    @ArchTest
    static final ArchRule observations_know_the_guards_and_the_runs_of_spring = only(
            "dev.election.autoconfigure.internal.observation",
            "dev.election",
            "dev.election.autoconfigure.internal.observation",
            "dev.election.spring.internal.guard",
            "io.micrometer.common",
            "io.micrometer.observation",
            "org.springframework.scheduling.support");

    @ArchTest
    static final ArchRule the_doctor_knows_no_store = only(
            "dev.election.autoconfigure.internal.checks",
            "dev.election.autoconfigure.internal.checks",
            "org.slf4j",
            "org.springframework.beans.factory",
            "org.springframework.boot",
            "org.springframework.boot.context.event",
            "org.springframework.boot.context.properties",
            "org.springframework.boot.context.properties.source",
            "org.springframework.context",
            "org.springframework.context.event",
            "org.springframework.core.annotation",
            "org.springframework.core.env",
            "org.springframework.util");

    @ArchTest
    static final ArchRule only_wiring_knows_wiring = noClasses()
            .that()
            .resideOutsideOfPackages("dev.election.autoconfigure..", "dev.election..autoconfigure..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.election.autoconfigure..", "dev.election..autoconfigure..");

    @ArchTest
    static final ArchRule rooms_are_free_of_cycles =
            slices().assignedFrom(new Rooms()).should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_protocol_has_no_clock_no_thread_and_no_chance = noClasses()
            .that()
            .resideInAPackage("dev.election.internal.protocol")
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

    /** Packages; what is exported and what is directly behind it belong together. */
    private static final class Rooms implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String room = type.getPackageName();
            return room.equals("dev.election")
                    ? SliceIdentifier.ignore()
                    : SliceIdentifier.of(room.endsWith(".internal") ? room.substring(0, room.lastIndexOf('.')) : room);
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }

    /** Who may use a package that is nobody's business otherwise, besides itself. */
    private static ArchRule internal(String room, String... users) {
        return noClasses()
                .that(resideOutsideOfPackages(users).and(not(resideInAPackage(room))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(room);
    }

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
