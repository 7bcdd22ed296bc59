package weir.cluster.start;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.cluster.release.KafkaVersion;
import weir.host.SelfSigned;
import weir.io.Io;
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

    /** Requires a folder that only this user can read. {@code addresses} are those of the brokers. */
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
        Instant now = MachineClock.WALL.instant();
        SelfSigned made = SelfSigned.make(now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(365)), addresses);
        Io.attempt("writing keys to " + folder, () -> {
            Files.writeString(key(), made.keyPem() + made.certificatePem());
            Files.writeString(trust(), made.certificatePem());
        });
    }
}
