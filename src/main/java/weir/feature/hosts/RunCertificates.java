package weir.feature.hosts;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
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

    private static final String FIRST = "weir token 1";
    private static final String LAST = "end";
    private static final String AGAIN = "; copy the token file that the conductor wrote for this run";
    private static final int LONGEST = 64 << 10;
    private static final int LINE = 76;

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
            String lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(keys.toByteArray());
            Files.writeString(token, String.join("\n", FIRST, password, lines, LAST, ""), StandardCharsets.US_ASCII);
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

    private static SSLContext context(KeyStore store, String password) throws GeneralSecurityException, IOException {
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

    /** Reads the file that admits a host to one run: the key of its workers and the certificate of the run. */
    static SSLContext read(Path file) throws LinkRefused {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, "'" + file + "'");
        } catch (IOException e) {
            throw new LinkRefused("'" + file + "' cannot be read as a token file" + AGAIN, e);
        }
    }

    static SSLContext read(InputStream in, String name) throws LinkRefused {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        try {
            for (int i = 0; i < LONGEST && !lines.contains(LAST); i++) {
                int next = in.read();
                if (next < 0) {
                    break;
                }
                if (next == '\n') {
                    lines.add(line.toString().strip());
                    line.setLength(0);
                } else {
                    line.append((char) next);
                }
            }
        } catch (IOException e) {
            throw new LinkRefused(name + " cannot be read as a token file" + AGAIN, e);
        }
        int last = lines.indexOf(LAST);
        if (last < 3 || !lines.get(0).equals(FIRST)) {
            throw new LinkRefused(name + " is not a token file, which begins with '" + FIRST + "' and ends with '"
                    + LAST + "'" + AGAIN);
        }
        try {
            byte[] keys = Base64.getMimeDecoder().decode(String.join("\n", lines.subList(2, last)));
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(keys), lines.get(1).toCharArray());
            return context(store, lines.get(1));
        } catch (IllegalArgumentException | GeneralSecurityException | IOException e) {
            throw new LinkRefused("token file " + name + " is damaged" + AGAIN, e);
        }
    }
}
