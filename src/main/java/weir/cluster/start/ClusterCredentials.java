package weir.cluster.start;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.cluster.release.KafkaVersion;
import weir.plan.ClusterSpec.Security;
import weir.time.MachineClock;

/** The keys and the single user of an embedded cluster, new for each cluster. */
public final class ClusterCredentials {
    private static final String USER = "weir";
    private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule";
    private static final String SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule";
    private static final List<String> SCRAMS = List.of("SCRAM-SHA-256", "SCRAM-SHA-512");

    private final Security security;
    private final boolean scram;
    private final Path folder;
    private final String password;

    private ClusterCredentials(Security security, boolean scram, Path folder, String password) {
        this.security = security;
        this.scram = scram;
        this.folder = folder;
        this.password = password;
    }

    /** {@code folder} is readable by this user alone; {@code addresses} are those of the brokers. */
    public static ClusterCredentials make(Security security, KafkaVersion version, Path folder, Set<String> addresses) {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        // KIP-900: without ZooKeeper there are no SCRAM users before 3.5.
        ClusterCredentials made = new ClusterCredentials(
                security, version.since(3, 5), folder, HexFormat.of().formatHex(random));
        if (made.encrypted()) {
            made.writeKeys(addresses);
        }
        return made;
    }

    public SortedMap<String, String> client() {
        SortedMap<String, String> client = new TreeMap<>();
        if (security == Security.PLAINTEXT) {
            return client;
        }
        client.put("security.protocol", security.name());
        if (encrypted()) {
            client.put("ssl.truststore.type", "PEM");
            client.put("ssl.truststore.location", trust().toString());
        }
        if (authenticated()) {
            client.put("sasl.mechanism", scram ? "SCRAM-SHA-512" : "PLAIN");
            client.put("sasl.jaas.config", login(scram ? SCRAM : PLAIN));
        }
        return client;
    }

    public SortedMap<String, String> node(List<String> listeners) {
        SortedMap<String, String> node = new TreeMap<>();
        if (encrypted()) {
            node.put("ssl.keystore.type", "PEM");
            node.put("ssl.keystore.location", key().toString());
            node.put("ssl.truststore.type", "PEM");
            node.put("ssl.truststore.location", trust().toString());
        }
        if (authenticated()) {
            List<String> mechanisms = new ArrayList<>(List.of("PLAIN"));
            mechanisms.addAll(scram ? SCRAMS : List.of());
            node.put("sasl.enabled.mechanisms", String.join(",", mechanisms));
            node.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
            node.put("sasl.mechanism.controller.protocol", "PLAIN");
            for (String listener : listeners) {
                String prefix = "listener.name." + listener.toLowerCase(Locale.ROOT) + ".";
                for (String mechanism : mechanisms) {
                    boolean plain = mechanism.equals("PLAIN");
                    node.put(
                            prefix + mechanism.toLowerCase(Locale.ROOT) + ".sasl.jaas.config",
                            plain ? login(PLAIN, "user_" + USER + "=\"" + password + "\"") : SCRAM + " required;");
                }
            }
        }
        return node;
    }

    List<String> format() {
        List<String> format = new ArrayList<>();
        if (authenticated() && scram) {
            for (String mechanism : SCRAMS) {
                format.add("--add-scram");
                format.add(mechanism + "=[name=" + USER + ",password=" + password + "]");
            }
        }
        return format;
    }

    private boolean encrypted() {
        return security == Security.SSL || security == Security.SASL_SSL;
    }

    private boolean authenticated() {
        return security == Security.SASL_PLAINTEXT || security == Security.SASL_SSL;
    }

    private String login(String module, String... more) {
        String words = more.length == 0 ? "" : " " + String.join(" ", more);
        return module + " required username=\"" + USER + "\" password=\"" + password + "\"" + words + ";";
    }

    List<Path> files() {
        return encrypted() ? List.of(key(), trust()) : List.of();
    }

    private Path key() {
        return folder.resolve("node.pem");
    }

    private Path trust() {
        return folder.resolve("trust.pem");
    }

    private void writeKeys(Set<String> addresses) {
        SelfSigned made = SelfSigned.make(MachineClock.WALL.instant(), addresses);
        try {
            Files.writeString(key(), made.key() + made.certificate());
            Files.writeString(trust(), made.certificate());
        } catch (IOException e) {
            throw new UncheckedIOException("writing keys to " + folder, e);
        }
    }

    /**
     * A self-signed server certificate and its key, both as PEM. The JDK has no public way to make one and keytool
     * would cost a JVM, so this writes the needed part of RFC 5280 in DER.
     */
    record SelfSigned(String key, String certificate) {
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

        /** Makes a certificate for {@code localhost} and the IP addresses at which servers are reached. */
        static SelfSigned make(Instant now, Set<String> addresses) {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                generator.initialize(new ECGenParameterSpec("secp256r1"));
                KeyPair pair = generator.generateKeyPair();
                byte[] statement = statement(pair, now, names(addresses));
                Signature signature = Signature.getInstance("SHA256withECDSA");
                signature.initSign(pair.getPrivate());
                signature.update(statement);
                byte[] certificate =
                        der(SEQUENCE, statement, algorithm(), der(BIT_STRING, new byte[1], signature.sign()));
                return new SelfSigned(
                        pem("PRIVATE KEY", pair.getPrivate().getEncoded()), pem("CERTIFICATE", certificate));
            } catch (GeneralSecurityException | UnknownHostException e) {
                throw new IllegalStateException("making a key for the brokers at " + addresses, e);
            }
        }

        private static byte[] names(Set<String> addresses) throws UnknownHostException {
            List<byte[]> names = new ArrayList<>(List.of(der(0x82, ascii("localhost"))));
            for (String address : addresses) {
                names.add(der(0x87, InetAddress.getByName(address).getAddress()));
            }
            return der(SEQUENCE, names.toArray(byte[][]::new));
        }

        private static byte[] statement(KeyPair pair, Instant now, byte[] names) {
            byte[] version3 = der(0xA0, der(INTEGER, new byte[] {2}));
            byte[] serial = der(INTEGER, new byte[] {1});
            byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8, ascii("weir")))));
            byte[] validity = der(SEQUENCE, time(now.minus(Duration.ofDays(1))), time(now.plus(Duration.ofDays(365))));
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

        /** Tag, length, content. */
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
}
