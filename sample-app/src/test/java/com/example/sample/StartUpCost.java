package com.example.sample;

import com.example.sample.testing.Console;
import com.example.sample.testing.SampleMachine;
import com.example.sample.testing.SampleProcess;
import dev.election.harness.RedisProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Measures what the starter adds to the start of an application that has Redis already: the sample with the elections and without
 * them, both with the same class path, the same beans for Redis and a server that is already there. What the starter does even
 * when it is switched off, on a processor that is idle, is in both. No build runs this, since numbers depend on the machine:
 *
 * <pre>mvn -pl sample-app -am test -Dtest=StartUpCost -Dsurefire.failIfNoSpecifiedTests=false [-Dstarts=10]</pre>
 */
class StartUpCost {

    private static final int STARTS = Integer.getInteger("starts", 10);
    private static final Pattern STARTED = Pattern.compile("Started SampleApplication in ([0-9.]+) seconds");

    @RegisterExtension
    final SampleMachine machine = new SampleMachine();

    private final Samples without = new Samples("election.enabled=false");
    private final Samples with = new Samples("election.enabled=true");

    @Test
    void print() {
        try (RedisProcess redis = machine.startForeignRedis()) {
            // The first ones find the files of the class path not yet in memory.
            start(new Samples(with.property()));
            start(new Samples(without.property()));
            for (int round = 0; round < STARTS; round++) {
                start(round % 2 == 0 ? without : with);
                start(round % 2 == 0 ? with : without);
            }
        }
        System.out.println(without);
        System.out.println(with);
        System.out.printf(
                "The starter adds %d ms as Spring measures it, %d ms from the start of the process%n",
                median(differences(with.bySpring(), without.bySpring())),
                median(differences(with.fromProcessStart(), without.fromProcessStart())));
        System.out.printf(
                "On a busy machine the quickest starts tell more: %d ms and %d ms%n",
                Collections.min(with.bySpring()) - Collections.min(without.bySpring()),
                Collections.min(with.fromProcessStart()) - Collections.min(without.fromProcessStart()));
    }

    /** One after the other: two at once would measure each other. */
    private void start(Samples samples) {
        try (SampleProcess replica = machine.start(samples.property())) {
            Console.Line line = replica.awaitStarted()
                    .console()
                    .all("Started SampleApplication")
                    .get(0);
            Matcher bySpring = STARTED.matcher(line.text());
            if (!bySpring.find()) {
                throw new IllegalStateException(line.text());
            }
            samples.bySpring().add(Math.round(Double.parseDouble(bySpring.group(1)) * 1000));
            samples.fromProcessStart().add(line.since(replica.startedAt()).toMillis());
        }
    }

    /** Of starts that came one right after the other: a machine that gets slower or faster meanwhile did so for both. */
    private static List<Long> differences(List<Long> with, List<Long> without) {
        return IntStream.range(0, with.size())
                .mapToObj(round -> with.get(round) - without.get(round))
                .toList();
    }

    private static long median(List<Long> millis) {
        List<Long> sorted = millis.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    private record Samples(String property, List<Long> bySpring, List<Long> fromProcessStart) {

        Samples(String property) {
            this(property, new ArrayList<>(), new ArrayList<>());
        }

        @Override
        public String toString() {
            return "%s: 'Started in' median %d ms of %s, process start to 'Started' median %d ms of %s"
                    .formatted(property, median(bySpring), bySpring, median(fromProcessStart), fromProcessStart);
        }
    }
}
