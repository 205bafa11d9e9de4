package dev.election.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A slice with the annotation that its documentation asks for. */
@JsonTest
@AutoConfigureTestElections
@ExtendWith(OutputCaptureExtension.class)
class GuardedSliceTest {

    @Autowired
    private TestElections elections;

    @Autowired
    private TestedApplication.Reports reports;

    @Test
    void methods_are_guarded(CapturedOutput output) {
        reports.write();
        assertThat(reports.written()).isZero();
        elections.lead("reports");
        reports.write();
        assertThat(reports.written()).isEqualTo(1);
        assertThat(output).doesNotContain("Nothing guards");
    }
}
