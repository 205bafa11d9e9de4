package dev.election.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kills-processes")
class ClassArchiveTest {

    private final ClassArchive archive = new ClassArchive(
            "test",
            "found",
            (options, redisPort, folder) -> JvmProcess.command(options, Main.class.getName(), List.of()));

    @Test
    void a_process_gets_its_classes_from_the_archive_and_finds_the_folders_of_its_class_path() {
        List<String> options = new ArrayList<>(archive.options());
        options.add("-Xlog:class+load");
        String output = JvmProcess.outputOf(JvmProcess.command(options, Main.class.getName(), List.of()));

        assertThat(output.lines())
                .anyMatch(line -> line.contains(Main.class.getName() + " source: shared objects file (top)"))
                .contains("found true");
    }

    /** Says whether the folder of this class is found as those are that are searched for components, and waits to be ended. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println("found " + (Main.class.getResource("/dev/election/harness/") != null));
            int unused = System.in.read();
        }
    }
}
