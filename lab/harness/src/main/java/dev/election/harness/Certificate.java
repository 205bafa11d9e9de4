package dev.election.harness;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Self-signed certificates, which are made by the JDK's {@code keytool} when they are used for the first time. */
final class Certificate {

    /** Of a server on loopback. */
    static final Certificate LOOPBACK = new Certificate("CN=loopback", "san=ip:127.0.0.1,dns:localhost");

    /** Of a server elsewhere. */
    static final Certificate ELSEWHERE = new Certificate("CN=elsewhere", "san=dns:elsewhere.example");

    /** Of a client that may do everything: Kubernetes takes the names of user and group from it. */
    static final Certificate CLIENT = new Certificate("CN=admin,O=system:masters", "eku=clientAuth");

    /** Of the file. */
    static final String PASSWORD = "changeit";

    private final String subject;
    private final String extension;
    private ApiServer.@Nullable ClientFiles files;

    private Certificate(String subject, String extension) {
        this.subject = subject;
        this.extension = extension;
    }

    /** PEM files of certificate and key. */
    synchronized ApiServer.ClientFiles files() {
        if (files == null) {
            files = make();
        }
        return files;
    }

    /** Certificate and key. */
    private KeyStore keyStore() {
        return load(file());
    }

    /** The file with certificate and key, as PKCS #12. */
    Path file() {
        return files().key().resolveSibling("store.p12");
    }

    /** Presents the first, if there is one, and trusts the second one. */
    static SSLContext context(@Nullable Certificate own, Certificate trusted) {
        try {
            KeyStore known = KeyStore.getInstance("PKCS12");
            known.load(null, null);
            known.setCertificateEntry("it", trusted.keyStore().getCertificate("it"));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(known);
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own == null ? null : own.keyStore(), PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyStore load(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private ApiServer.ClientFiles make() {
        Path folder = TemporaryFolders.create("certificate");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // Starts in half of the time.
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                // Ten thousand iterations each would take longer than most tests: a server reads two files.
                "-J-Dkeystore.pkcs12.keyPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.macIterationCount=1",
                "-genkeypair"));
        command.addAll(
                List.of("-alias", "it", "-keyalg", "EC", "-dname", subject, "-ext", extension, "-validity", "30"));
        command.addAll(List.of(
                "-storetype", "PKCS12", "-keystore", folder.resolve("store.p12").toString()));
        command.addAll(List.of("-storepass", PASSWORD));
        Children.run(new ProcessBuilder(command));
        ApiServer.ClientFiles made = new ApiServer.ClientFiles(folder.resolve("certificate"), folder.resolve("key"));
        KeyStore store = load(folder.resolve("store.p12"));
        try {
            Key key = store.getKey("it", PASSWORD.toCharArray());
            Files.writeString(
                    made.certificate(),
                    pem("CERTIFICATE", store.getCertificate("it").getEncoded()));
            Files.writeString(made.key(), pem("PRIVATE KEY", key.getEncoded()));
            return made;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String type, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }
}
