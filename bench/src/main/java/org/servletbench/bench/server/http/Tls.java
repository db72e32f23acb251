package org.servletbench.bench.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.TargetException;

/** Certificates of servers that we start. Each server has its own, which lives as long as the server. */
public final class Tls {

    /** Socket factory of servlet-bench's own connections. */
    static final SSLSocketFactory CLIENT = client();

    /** Password that protects nothing, because only the owner can read the file. */
    private static final String PASSWORD = "servlet-bench";

    private static final String KEY = "-genkeypair -alias server -keyalg EC -groupname secp256r1 -validity 30"
            + " -dname CN=servlet-bench -storetype PKCS12 -storepass " + PASSWORD + " -ext SAN=dns:localhost,";

    private static final String FOLDER = "tls";
    private static final String FILE = "server.p12";

    private static final int PATIENCE_SECONDS = 60;

    private Tls() {}

    /** Returns a factory that trusts every certificate. We started the server and verify its identity in other ways. */
    private static SSLSocketFactory client() {
        X509TrustManager anybody = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String authType) {
                // Clients have no certificates.
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String authType) {
                // Every server is trusted.
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {anybody}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the arguments that make a Spring Boot application speak a protocol.
     *
     * @param keyStore file made by {@link #keyStore}
     */
    public static List<String> arguments(Protocol protocol, Path keyStore) {
        return List.of(
                "--server.ssl.enabled=true",
                // Clears the service's own settings.
                "--server.ssl.bundle=",
                "--server.ssl.key-store=" + keyStore.toAbsolutePath().toUri(),
                "--server.ssl.key-store-type=PKCS12",
                "--server.ssl.key-store-password=" + PASSWORD,
                "--server.ssl.key-password=" + PASSWORD,
                "--server.ssl.key-alias=server",
                "--server.http2.enabled=" + (protocol == Protocol.H2));
    }

    /**
     * Creates a key and its certificate.
     *
     * @param jdk home of the server's JDK, whose keytool creates them
     * @param folder folder of the server, in which a folder is created that only its owner can read
     * @param address address on which the server listens, a name or an IP address. Jetty rejects requests to a host
     *     that its certificate does not name ("Invalid SNI")
     */
    public static Path keyStore(Path jdk, Path folder, String address) {
        Path keytool = jdk.resolve("bin").resolve("keytool");
        try {
            Path file = Files.createTempDirectory(folder, FOLDER).resolve(FILE);
            List<String> command = new ArrayList<>(List.of(keytool.toString(), "-keystore", file.toString()));
            boolean isIp = address.matches("[0-9.]+|.*:.*");
            command.addAll(List.of((KEY + (isIp ? "ip:" : "dns:") + address).split(" ")));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new TargetException("no certificate for the server: " + keytool + " failed: " + said.strip());
            }
            return file;
        } catch (IOException e) {
            throw new TargetException("no certificate for the server: " + e.getMessage());
        } catch (InterruptedException e) {
            throw TargetException.interrupted("making a certificate");
        }
    }

    /** Deletes the key stores of a campaign's servers that were killed together with servlet-bench. */
    public static void sweep(Path campaign) {
        Path blocks = campaign.resolve("blocks");
        if (!Files.isDirectory(blocks, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.walk(blocks)) {
            files.filter(file -> file.endsWith(FILE)
                            && file.getParent().getFileName().toString().matches(FOLDER + "\\d+"))
                    .toList()
                    .forEach(Tls::delete);
        } catch (IOException | UncheckedIOException e) {
            // They stay, readable only by their owner.
        }
    }

    /** Deletes the key store of a server that has ended. */
    public static void delete(Path keyStore) {
        try {
            Files.deleteIfExists(keyStore);
            Files.deleteIfExists(keyStore.getParent());
        } catch (IOException e) {
            // It stays, readable only by its owner.
        }
    }
}
