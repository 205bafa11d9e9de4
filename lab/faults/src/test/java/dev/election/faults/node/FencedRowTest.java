package dev.election.faults.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FencedRowTest {

    private static final int NODES = 4;

    @Test
    void nodes_that_come_at_once_share_one_row() throws Exception {
        String url = "jdbc:h2:mem:fenced";
        ExecutorService nodes = Executors.newFixedThreadPool(NODES);
        try (Connection keeper = DriverManager.getConnection(url)) {
            FencedRow.createTable(keeper);
            for (int round = 0; round < 50; round++) {
                String key = "group" + round;
                CyclicBarrier start = new CyclicBarrier(NODES);
                List<Future<FencedRow>> opened = new ArrayList<>();
                for (int node = 0; node < NODES; node++) {
                    opened.add(nodes.submit(() -> {
                        start.await();
                        return new FencedRow(url, key);
                    }));
                }
                long writes = 0;
                for (Future<FencedRow> node : opened) {
                    try (FencedRow row = node.get(10, TimeUnit.SECONDS)) {
                        assertThat(row.write(7)).isEqualTo(++writes);
                    }
                }
            }
        } finally {
            nodes.shutdownNow();
        }
    }
}
