package dev.election.jdbc;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The store over JDBC knows whom the store over Redis may know, but for its client. That no other module knows it is checked by their builds. */
@AnalyzeClasses(packages = "dev.election.jdbc", importOptions = JdbcArchitectureTest.NoTests.class)
class JdbcArchitectureTest {

    static final class NoTests implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/") && !location.contains("-tests.jar");
        }
    }

    @ArchTest
    static final ArchRule the_store_knows_the_api_the_record_and_jdbc_alone = classes()
            .that()
            .resideInAnyPackage("dev.election.jdbc", "dev.election.jdbc.internal")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "java..",
                    "javax.sql",
                    "org.jspecify..",
                    "org.slf4j",
                    "org.postgresql..",
                    "dev.election",
                    "dev.election.support",
                    "dev.election.store",
                    "dev.election.record",
                    "dev.election.jdbc",
                    "dev.election.jdbc.internal"));

    @ArchTest
    static final ArchRule only_notifications_know_a_driver = noClasses()
            .that()
            .doNotHaveSimpleName("PostgresNotifications")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.postgresql..");

    @ArchTest
    static final ArchRule the_table_is_for_its_store = noClasses()
            .that()
            .resideOutsideOfPackages("dev.election.jdbc", "dev.election.jdbc.internal")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.election.jdbc.internal");

    @ArchTest
    static final ArchRule no_mutable_statics =
            noFields().that().areStatic().should().notHaveModifier(JavaModifier.FINAL);

    /** A new one is a decision. */
    @ArchTest
    static void only_these_types_are_exported(JavaClasses all) {
        assertThat(all.stream()
                        .filter(type -> type.getPackageName().equals("dev.election.jdbc"))
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass())
                        .map(JavaClass::getSimpleName)
                        .filter(name -> !name.equals("package-info")))
                .containsExactlyInAnyOrder(
                        "JdbcDatabase", "JdbcLeaseStore", "JdbcSettings", "JdbcTable", "JdbcVitals", "TableCreation");
    }
}
