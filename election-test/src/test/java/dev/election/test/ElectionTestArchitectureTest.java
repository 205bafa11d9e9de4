package dev.election.test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What tests of applications use runs the real engine over the store in memory, and knows no server. */
@AnalyzeClasses(packages = "dev.election.test", importOptions = ImportOption.DoNotIncludeTests.class)
class ElectionTestArchitectureTest {

    @ArchTest
    static final ArchRule elections_of_tests_know_the_engine_the_store_in_memory_and_spring = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    "dev.election",
                    "dev.election.autoconfigure",
                    "dev.election.engine",
                    "dev.election.jobs",
                    "dev.election.members",
                    "dev.election.partitions",
                    "dev.election.record",
                    "dev.election.spring.members",
                    "dev.election.store",
                    "dev.election.store.test",
                    "dev.election.support",
                    "dev.election.test",
                    "org.springframework.beans.factory",
                    "org.springframework.beans.factory.config",
                    "org.springframework.boot.autoconfigure",
                    "org.springframework.context",
                    "org.springframework.context.annotation",
                    "org.springframework.core..",
                    "org.springframework.test.context..");
}
