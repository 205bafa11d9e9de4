package com.example.sample.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.JvmProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassPathFileTest {

    @Test
    void folders_may_have_spaces_and_backslashes() {
        assertThat(ClassPathFile.option("C:\\My Files\\classes;C:\\lib\\a.jar"))
                .isEqualTo("-cp \"C:\\\\My Files\\\\classes;C:\\\\lib\\\\a.jar\"\n");
    }

    @Test
    void java_reads_it() throws Exception {
        Path file = ClassPathFile.write();

        String output = JvmProcess.outputOf(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + file,
                "-XshowSettings:properties",
                "-version"));

        assertThat(output).contains("sample-app");
    }
}
