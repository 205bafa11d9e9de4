package dev.election;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/** Who may know whom. Imports run downwards only; which types and libraries a package may know is a table, {@link Known}. */
@AnalyzeClasses(locations = Modules.class)
class ArchitectureTest {

    @ArchTest
    static final ArchTests exported = ArchTests.in(ExportedSignatures.class);

    @ArchTest
    static final ArchTests texts = ArchTests.in(TextsOfWiring.class);

    @ArchTest
    static final ArchRule packages_know_what_the_table_says = classes()
            .should(know("types that the table allows", (type, other) -> Known.of(type.getPackageName())
                    .mayKnow(other)));

    @ArchTest
    static final ArchRule the_public_api_knows_the_jdk_alone = classes()
            .that(resideInAPackage("dev.election").and(not(belongToAnyOf(ElectionEngine.class))))
            .should()
            .onlyDependOnClassesThat(
                    resideInAnyPackage("dev.election", "dev.election.support", "java..", "org.jspecify.."));

    @ArchTest
    static final ArchRule internals_are_for_their_module = classes()
            .should(know(
                    "internals of their own module only",
                    (type, other) ->
                            !resideInAPackage("dev.election..internal..").test(other)
                                    || Modules.moduleOf(type).equals(Modules.moduleOf(other))));

    @ArchTest
    static void a_package_is_part_of_one_module(JavaClasses types) {
        Map<String, Set<String>> modules = new TreeMap<>();
        types.forEach(type -> modules.computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
                .add(Modules.moduleOf(type)));
        modules.values().removeIf(each -> each.size() == 1);
        if (!modules.isEmpty()) {
            throw new AssertionError("Packages of several modules: " + modules);
        }
    }

    /** Three exported packages have types that are made of internal ones, which in turn throw or read those that applications see. */
    @ArchTest
    static final ArchRule rooms_are_free_of_cycles = slices().assignedFrom(new Rooms())
            .should()
            .beFreeOfCycles()
            .ignoreDependency(
                    resideInAPackage("dev.election.fencing"), resideInAPackage("dev.election.fencing.internal.."))
            .ignoreDependency(resideInAPackage("dev.election.jdbc"), resideInAPackage("dev.election.jdbc.internal.."))
            .ignoreDependency(
                    resideInAPackage("dev.election.kubernetes"), resideInAPackage("dev.election.kubernetes.internal.."))
            .ignoreDependency(resideInAPackage("dev.election.etcd"), resideInAPackage("dev.election.etcd.internal.."))
            .ignoreDependency(
                    resideInAPackage("dev.election.zookeeper"), resideInAPackage("dev.election.zookeeper.internal.."));

    /** Members, with messages and steering on top, are parts that join an engine, which has no need of them. */
    @ArchTest
    static final ArchRule the_engine_knows_no_part = noClasses()
            .that()
            .resideOutsideOfPackage("dev.election.internal.[assembly|members|messages|partitions|steering]..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.election.internal.[members|messages|partitions|steering]..");

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
    static final ArchRule the_connection_knows_problems_of_a_store_and_nothing_of_elections = noClasses()
            .that()
            .resideInAPackage("dev.election.redis.[client|internal|script]..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.election", "dev.election.store")
                    .and(not(belongToAnyOf(StoreProblem.class, NoAnswer.class, LeaseStore.Subscription.class))));

    @ArchTest
    static final ArchRule nobody_knows_the_bridge = noClasses()
            .that()
            .resideOutsideOfPackage("dev.election.redis.bridge..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.election.redis.bridge..");

    @ArchTest
    static final ArchRule only_wiring_knows_wiring = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.election.autoconfigure..", "dev.election..autoconfigure..", "dev.election.test..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.election.autoconfigure..", "dev.election..autoconfigure..");

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

    /** Each pair of types is reported once, however often the one uses the other. */
    private static ArchCondition<JavaClass> know(String what, BiPredicate<JavaClass, JavaClass> mayKnow) {
        return new ArchCondition<>("know " + what) {

            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getDirectDependenciesFromSelf().stream()
                        .map(found -> found.getTargetClass().getBaseComponentType())
                        .distinct()
                        .filter(other -> !mayKnow.test(type, other))
                        .forEach(other -> events.add(
                                SimpleConditionEvent.violated(type, type.getName() + " knows " + other.getName())));
            }
        };
    }

    /** Each package but the API, whose interfaces are implemented below it and whose engine is assembled there. */
    private static final class Rooms implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String room = type.getPackageName();
            return room.equals("dev.election") ? SliceIdentifier.ignore() : SliceIdentifier.of(room);
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
