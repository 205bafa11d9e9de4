package dev.election.kubernetes.internal;

import dev.election.kubernetes.Credentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The credentials that Kubernetes mounts into a pod. It renews the files from time to time, so they are read again each minute. */
public final class MountedCredentials implements Credentials {

    private static final Duration FRESH = Duration.ofMinutes(1);

    private final Path folder;
    private final LongSupplier nanos;

    /** Guarded by this, as are the others. */
    private @Nullable String token;

    private long readAt;
    private byte[] authorities = {};
    private @Nullable SSLContext tls;

    /** Reads nothing yet. */
    public MountedCredentials(Path folder) {
        this(folder, System::nanoTime);
    }

    /** Reads nothing yet, and has another clock, which counts nanoseconds. */
    MountedCredentials(Path folder, LongSupplier nanos) {
        this.folder = folder;
        this.nanos = nanos;
    }

    /** Reads the namespace of the pod. */
    public String namespace() {
        try {
            return Files.readString(folder.resolve("namespace")).strip();
        } catch (IOException missing) {
            throw new IllegalStateException("No service account is mounted into this pod: " + missing, missing);
        }
    }

    @Override
    public synchronized String token() throws IOException {
        long now = nanos.getAsLong();
        String present = token;
        if (present == null || now - readAt > FRESH.toNanos()) {
            present = Files.readString(folder.resolve("token")).strip();
            token = present;
            readAt = now;
        }
        return present;
    }

    @Override
    public synchronized SSLContext tls() throws IOException {
        byte[] present = Files.readAllBytes(folder.resolve("ca.crt"));
        SSLContext context = tls;
        if (context == null || !Arrays.equals(present, authorities)) {
            context = trusting(present);
            tls = context;
            authorities = present;
        }
        return context;
    }

    @Override
    public synchronized void refused() {
        token = null;
    }

    private static SSLContext trusting(byte[] authorities) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(authorities))) {
                store.setCertificateEntry("ca-" + count++, one);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException unusable) {
            throw new IOException("The certificates in ca.crt can't be used: " + unusable.getMessage(), unusable);
        }
    }
}
