package weir.worker.link;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import weir.host.JavaRuntime;
import weir.host.Programs;

/**
 * The certificates of one run, made by the JDK's own keytool: an authority signs one for the conductor and one for all
 * workers, and its key is then forgotten. Each side trusts only that authority.
 */
public final class RunCertificates {
    private static final String AUTHORITY = "authority";
    private static final String CONDUCTOR = "conductor";
    private static final String WORKERS = "workers";
    private static final int PASSWORD_BYTES = 24;

    private final SSLContext conductor;
    private final Path token;

    private RunCertificates(SSLContext conductor, Path token) {
        this.conductor = conductor;
        this.token = token;
    }

    /**
     * Makes the certificates, which takes a second or two.
     *
     * @param folder that only this user can read; the token file stays there
     */
    public static RunCertificates make(Path folder) {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        Path file = folder.resolve("password");
        Path all = folder.resolve("keys.p12");
        try {
            write(file, password);
            keytool(all, file, AUTHORITY, List.of("-ext", "bc:critical=ca:true", "-ext", "ku:critical=keyCertSign"));
            keytool(all, file, CONDUCTOR, List.of("-signer", AUTHORITY, "-ext", "eku=serverAuth"));
            keytool(all, file, WORKERS, List.of("-signer", AUTHORITY, "-ext", "eku=clientAuth"));
            KeyStore made = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(all)) {
                made.load(in, password.toCharArray());
            }
            ByteArrayOutputStream keys = new ByteArrayOutputStream();
            only(WORKERS, made, password).store(keys, password.toCharArray());
            Path token = folder.resolve("token");
            write(token, LinkToken.text(keys.toByteArray(), password));
            return new RunCertificates(context(only(CONDUCTOR, made, password), password), token);
        } catch (IOException e) {
            throw new UncheckedIOException("making the certificates of the run in " + folder, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("making the certificates of the run in " + folder, e);
        } finally {
            delete(all);
            delete(file);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + file, e);
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void keytool(Path keys, Path password, String alias, List<String> more) {
        List<String> command = new ArrayList<>(List.of(
                JavaRuntime.own().home().resolve("bin/keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                // 24 random bytes cannot be guessed, so slow key derivation would only slow us down.
                "-J-Dkeystore.pkcs12.keyPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.macIterationCount=1",
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=weir " + alias,
                // The clocks of hosts may be wrong by days.
                "-startdate",
                "-30d",
                "-validity",
                "90",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass:file",
                password.toString()));
        command.addAll(more);
        Programs.run(command.toArray(String[]::new));
    }

    private static KeyStore only(String alias, KeyStore all, String password)
            throws GeneralSecurityException, IOException {
        KeyStore one = KeyStore.getInstance("PKCS12");
        one.load(null, null);
        Certificate[] chain = all.getCertificateChain(alias);
        one.setKeyEntry(alias, all.getKey(alias, password.toCharArray()), password.toCharArray(), chain);
        one.setCertificateEntry(AUTHORITY, all.getCertificate(AUTHORITY));
        return one;
    }

    static SSLContext context(KeyStore store, String password) throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, password.toCharArray());
        // Java also trusts the certificates of its own keys, so they must not be there: a worker is no conductor.
        KeyStore authority = KeyStore.getInstance("PKCS12");
        authority.load(null, null);
        authority.setCertificateEntry(AUTHORITY, store.getCertificate(AUTHORITY));
        TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
        trusted.init(authority);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    /** Trusts only the workers of the run. */
    public SSLContext conductor() {
        return conductor;
    }

    public Path token() {
        return token;
    }
}
