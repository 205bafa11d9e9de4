package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.FolderRecordStore;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.Timing;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about writing a store shows what is compiled and tested here. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WritingAStoreTest {

    private static final Path PAGE = Path.of("..", "docs", "writing-a-store.md");

    @Test
    void the_page_shows_methods_of_the_store_that_passes_the_contract() throws IOException {
        String source = Files.readString(Path.of("src/test/java/com/example/FolderRecordStore.java"))
                .replaceAll("(?m)^    ", "");
        String page = Files.readString(PAGE);
        int begin = page.indexOf("/** The condition covers");
        assertThat(page.substring(begin, page.indexOf("```", begin)).split("(?m)^}\n"))
                .hasSize(2)
                .allSatisfy(method -> assertThat(source).contains(method.strip()));
    }

    @Test
    void one_of_two_nodes_over_the_store_of_the_page_leads_and_the_other_does_when_it_stops(@TempDir Path folder)
            throws InterruptedException {
        try (FolderRecordStore one = new FolderRecordStore(folder);
                FolderRecordStore other = new FolderRecordStore(folder);
                ElectionEngine second = engine(other)) {
            Election led = second.get("reports");
            try (ElectionEngine first = engine(one)) {
                first.start();
                assertThat(first.get("reports").awaitLeadership(Duration.ofSeconds(20)))
                        .isTrue();
                second.start();
                assertThat(led.awaitResult(Duration.ofSeconds(20))).isTrue();
                assertThat(led.isLeader()).isFalse();
            }
            assertThat(led.awaitLeadership(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void the_record_on_the_page_is_like_one_that_is_written(@TempDir Path folder)
            throws IOException, InterruptedException {
        try (FolderRecordStore store = new FolderRecordStore(folder);
                ElectionEngine engine = engine(store)) {
            engine.start();
            assertThat(engine.get("reports").awaitLeadership(Duration.ofSeconds(20)))
                    .isTrue();
            List<String> written = shapes(Files.readString(folder.resolve("=reports")));
            assertThat(written).containsAll(shapes(sample("```\nformat=")));
        }
    }

    private static String sample(String begin) throws IOException {
        String page = Files.readString(PAGE);
        int sample = page.indexOf(begin) + "```\n".length();
        return page.substring(sample, page.indexOf("```\n", sample)).replace("...\n", "");
    }

    /** Times, tokens and ids differ from record to record, but not in their length. Nodes have what they are given. */
    private static List<String> shapes(String record) {
        return record.lines()
                .map(line -> {
                    int value = line.indexOf('=') + 1;
                    String name = line.substring(0, value);
                    return name.equals("lease.node=")
                            ? name
                            : name + line.substring(value).replaceAll("[0-9a-f]", "x");
                })
                .toList();
    }

    private static ElectionEngine engine(FolderRecordStore store) {
        ElectionEngine engine = ElectionEngine.over(new RecordLeaseStore(store, "", new LeaseRules(100)))
                .timing(Timing.ofLease(Duration.ofSeconds(15)))
                .build();
        Election unused = engine.get("reports");
        return engine;
    }
}
