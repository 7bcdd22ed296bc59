package weir.feature.hosts;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import weir.host.SelfSigned;
import weir.io.Io;
import weir.time.MachineClock;

/** The certificates of one run. The conductor trusts only its workers, and a worker trusts only the conductor. */
public record RunCertificates(SSLContext conductor, Path token) {
    private static final String OWN = "own";
    private static final String OTHER = "other";
    private static final int PASSWORD_BYTES = 24;

    public static RunCertificates make(Path folder) {
        SelfSigned conductor = selfSigned();
        SelfSigned workers = selfSigned();
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        Path token = folder.resolve("token");
        try {
            ByteArrayOutputStream keys = new ByteArrayOutputStream();
            store(workers, conductor, password).store(keys, password.toCharArray());
            Files.createFile(token, Io.OWN_FILE);
            Files.writeString(token, LinkToken.text(keys.toByteArray(), password), StandardCharsets.US_ASCII);
            return new RunCertificates(context(store(conductor, workers, password), password), token);
        } catch (IOException e) {
            throw new UncheckedIOException("making the certificates of the run in " + folder, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("making the certificates of the run in " + folder, e);
        }
    }

    private static SelfSigned selfSigned() {
        Instant now = MachineClock.WALL.instant();
        // The clocks of hosts may be wrong by days.
        return SelfSigned.make(now.minus(Duration.ofDays(30)), now.plus(Duration.ofDays(60)), Set.of());
    }

    private static KeyStore store(SelfSigned own, SelfSigned other, String password)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(OWN, own.key(), password.toCharArray(), new Certificate[] {own.certificate()});
        store.setCertificateEntry(OTHER, other.certificate());
        return store;
    }

    static SSLContext context(KeyStore store, String password) throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, password.toCharArray());
        // Java also trusts the certificates of its own keys. A worker would then accept another worker as its
        // conductor.
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry(OTHER, store.getCertificate(OTHER));
        TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
        trusted.init(trust);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }
}
