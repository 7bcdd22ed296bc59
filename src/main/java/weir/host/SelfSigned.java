package weir.host;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * A self-signed certificate of a server or a client, with its key. The JDK has no public API to create one, and
 * keytool would need its own JVM. So this class writes the required part of RFC 5280 in DER.
 */
public record SelfSigned(PrivateKey key, X509Certificate certificate) {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_ID = 0x06;
    private static final int UTF8 = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final byte[] ECDSA_WITH_SHA256 = {0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x04, 0x03, 0x02};
    private static final byte[] COMMON_NAME = {0x55, 0x04, 0x03};
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = {0x55, 0x1D, 0x11};
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    /** Creates a certificate for {@code localhost} and the IP addresses of the servers. */
    public static SelfSigned make(Instant from, Instant until, Set<String> addresses) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            byte[] statement = statement(pair, der(SEQUENCE, time(from), time(until)), names(addresses));
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(statement);
            byte[] certificate = der(SEQUENCE, statement, algorithm(), der(BIT_STRING, new byte[1], signature.sign()));
            return new SelfSigned(pair.getPrivate(), (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate)));
        } catch (GeneralSecurityException | UnknownHostException e) {
            throw new IllegalStateException("creating a key for the servers at " + addresses, e);
        }
    }

    public String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    public String certificatePem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("reading a new certificate", e);
        }
    }

    private static byte[] names(Set<String> addresses) throws UnknownHostException {
        List<byte[]> names = new ArrayList<>(List.of(der(0x82, ascii("localhost"))));
        for (String address : addresses) {
            names.add(der(0x87, InetAddress.getByName(address).getAddress()));
        }
        return der(SEQUENCE, names.toArray(byte[][]::new));
    }

    private static byte[] statement(KeyPair pair, byte[] validity, byte[] names) {
        byte[] version3 = der(0xA0, der(INTEGER, new byte[] {2}));
        byte[] serial = der(INTEGER, new byte[] {1});
        byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8, ascii("weir")))));
        byte[] extension = der(SEQUENCE, der(OBJECT_ID, SUBJECT_ALTERNATIVE_NAME), der(OCTET_STRING, names));
        byte[] extensions = der(0xA3, der(SEQUENCE, extension));
        return der(
                SEQUENCE,
                version3,
                serial,
                algorithm(),
                name,
                validity,
                name,
                pair.getPublic().getEncoded(),
                extensions);
    }

    private static byte[] algorithm() {
        return der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
    }

    private static byte[] time(Instant instant) {
        return der(UTC_TIME, ascii(UTC.format(instant)));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The DER encoding: tag, length, content. */
    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static String pem(String title, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + title + "-----\n" + lines + "\n-----END " + title + "-----\n";
    }
}
