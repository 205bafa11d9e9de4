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

/** Self-signed certificates, which are made by the JDK's {@code keytool} when they are used for the first time. */
enum Certificate {
    /** Of a server on loopback. */
    LOOPBACK("CN=loopback", "san=ip:127.0.0.1,dns:localhost"),
    /** Of a server elsewhere. */
    ELSEWHERE("CN=elsewhere", "san=dns:elsewhere.example"),
    /** Of a client that may do everything: Kubernetes takes the names of user and group from it. */
    CLIENT("CN=admin,O=system:masters", "eku=clientAuth");

    static final char[] PASSWORD = "changeit".toCharArray();

    private final String subject;
    private final String extension;
    private ApiServer.ClientFiles files = new ApiServer.ClientFiles(Path.of(""), Path.of(""));

    Certificate(String subject, String extension) {
        this.subject = subject;
        this.extension = extension;
    }

    /** PEM files of certificate and key. */
    synchronized ApiServer.ClientFiles files() {
        if (files.key().toString().isEmpty()) {
            files = make();
        }
        return files;
    }

    /** Certificate and key. */
    KeyStore keyStore() {
        return load(files().key().resolveSibling("p12"));
    }

    private static KeyStore load(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD);
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private ApiServer.ClientFiles make() {
        Path folder = TemporaryFolders.create("certificate");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair"));
        command.addAll(
                List.of("-alias", "it", "-keyalg", "EC", "-dname", subject, "-ext", extension, "-validity", "30"));
        command.addAll(List.of(
                "-storetype", "PKCS12", "-keystore", folder.resolve("p12").toString()));
        command.addAll(List.of("-storepass", new String(PASSWORD)));
        Children.run(new ProcessBuilder(command));
        ApiServer.ClientFiles made = new ApiServer.ClientFiles(folder.resolve("certificate"), folder.resolve("key"));
        KeyStore store = load(folder.resolve("p12"));
        try {
            Key key = store.getKey("it", PASSWORD);
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
