package dev.election.testing;

import dev.election.harness.ClassArchive;
import dev.election.harness.JvmProcess;
import dev.election.quartz.internal.ScheduledApplication;
import dev.election.spring.scheduling.CronApplication;
import dev.election.steering.OverHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Runs a job of each kind of scheduler, for the archive of their classes. */
public final class SchedulerTraining {

    private static final String TRAINED = "All have run a job";

    static final ClassArchive CLASSES = new ClassArchive(
            "schedulers",
            TRAINED,
            (options, redisPort, folder) -> JvmProcess.command(
                    options,
                    SchedulerTraining.class.getName(),
                    List.of(Integer.toString(redisPort), folder.toString())));

    private SchedulerTraining() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        List<String> common = List.of("--spring.data.redis.port=" + arguments[0], "--test.shift=0");
        Path quartz = start(ScheduledApplication::main, common, folder.resolve("quartz"), 0);
        List<String> overHttp = new ArrayList<>(common);
        overHttp.addAll(OverHttp.arguments(0));
        Path cron = start(CronApplication::main, overHttp, folder.resolve("cron"), 1);
        Awaitility.await()
                .atMost(SchedulerProcess.LONGEST_START)
                .until(() -> Files.size(quartz) > 0 && Files.size(cron) > 0);
        System.out.println(TRAINED);
    }

    /** In a database of its own, where it leads. */
    private static Path start(Application application, List<String> common, Path history, int database)
            throws IOException {
        Files.writeString(history, "");
        List<String> arguments = new ArrayList<>(common);
        arguments.add("--test.history=" + history);
        arguments.add("--spring.data.redis.database=" + database);
        application.run(arguments.toArray(String[]::new));
        return history;
    }

    private interface Application {
        void run(String[] arguments);
    }
}
