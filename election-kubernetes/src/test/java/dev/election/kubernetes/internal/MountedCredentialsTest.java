package dev.election.kubernetes.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.harness.StrictApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MountedCredentialsTest {

    private final AtomicLong nanos = new AtomicLong();

    @TempDir
    private Path folder;

    private MountedCredentials credentials() {
        return new MountedCredentials(folder, nanos::get);
    }

    private void mount(String token) throws IOException {
        Files.writeString(folder.resolve("token"), token);
    }

    @Test
    void a_token_is_read_again_after_a_minute() throws IOException {
        MountedCredentials credentials = credentials();
        mount("first\n");
        assertThat(credentials.token()).isEqualTo("first");
        mount("second");
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(credentials.token()).isEqualTo("first");
        nanos.incrementAndGet();
        assertThat(credentials.token()).isEqualTo("second");
    }

    @Test
    void a_token_is_read_again_once_it_was_refused() throws IOException {
        MountedCredentials credentials = credentials();
        mount("first");
        assertThat(credentials.token()).isEqualTo("first");
        mount("second");
        credentials.refused();
        assertThat(credentials.token()).isEqualTo("second");
    }

    @Test
    void a_token_that_is_not_there_yet_is_a_failure_each_time_until_it_is() throws IOException {
        MountedCredentials credentials = credentials();
        assertThatThrownBy(credentials::token).isInstanceOf(NoSuchFileException.class);
        mount("late");
        assertThat(credentials.token()).isEqualTo("late");
    }

    @Test
    void certificates_are_read_again_when_they_have_changed() throws IOException {
        MountedCredentials credentials = credentials();
        try (StrictApiServer one = new StrictApiServer();
                StrictApiServer another = StrictApiServer.underAnotherName()) {
            Files.copy(one.certificate(), folder.resolve("ca.crt"));
            SSLContext first = credentials.tls();
            assertThat(credentials.tls()).isSameAs(first);
            // Several in one file, as a cluster has them while it changes its authority.
            Files.writeString(
                    folder.resolve("ca.crt"),
                    Files.readString(one.certificate()) + Files.readString(another.certificate()));
            assertThat(credentials.tls()).isNotSameAs(first);
        }
    }

    @Test
    void certificates_that_are_none_are_a_failure() throws IOException {
        Files.writeString(folder.resolve("ca.crt"), "no certificate");
        assertThatThrownBy(credentials()::tls)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("The certificates in ca.crt can't be used");
    }

    @Test
    void a_pod_without_a_service_account_has_no_namespace() {
        assertThatThrownBy(credentials()::namespace)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("No service account is mounted into this pod");
    }
}
