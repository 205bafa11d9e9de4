package dev.election.testing;

import dev.election.harness.TemporaryFolders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A certificate of this machine's loopback address, signed by itself, in the files that a server wants.
 *
 * @param certificate as PEM
 * @param key as PEM
 */
public record Certificate(Path certificate, Path key) {

    private static final String PASSWORD = "changeit";

    /** What makes a Redis server listen at that port, too, for encrypted connections of clients that need no certificate. */
    public String[] serverOptions(int port) {
        return new String[] {
            "--tls-port",
            Integer.toString(port),
            "--tls-cert-file",
            certificate.toString(),
            "--tls-key-file",
            key.toString(),
            "--tls-ca-cert-file",
            certificate.toString(),
            "--tls-auth-clients",
            "no"
        };
    }

    /** Made by the JDK's keytool. */
    public static Certificate make() throws IOException, InterruptedException, GeneralSecurityException {
        Path folder = TemporaryFolders.create("election-tls-");
        Path file = folder.resolve("server.p12");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD);
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException("keytool ended with " + exit);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        byte[] key = store.getKey("server", PASSWORD.toCharArray()).getEncoded();
        return new Certificate(
                pem(folder, "CERTIFICATE", store.getCertificate("server").getEncoded()),
                pem(folder, "PRIVATE KEY", key));
    }

    private static Path pem(Path folder, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return Files.writeString(
                folder.resolve(kind.toLowerCase(java.util.Locale.ROOT).replace(' ', '-') + ".pem"),
                "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
