package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.cli.Shell;
import weir.cluster.ClusterUnavailable;
import weir.cluster.LoopbackKeys;
import weir.cluster.release.Release;
import weir.cluster.start.ExternalCluster;

/** The reasons why a plain broker with many listeners is unusable for a client, each with its own line. */
@Timeout(120)
class FirstContactIT {
    private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required";

    @TempDir
    static Path folder;

    private static PlainKafka kafka;
    private static LoopbackKeys keys;

    @BeforeAll
    static void start() throws Exception {
        keys = LoopbackKeys.in(folder);
        Map<String, String> more = new HashMap<>(keys.server());
        for (String listener : List.of("sasl", "sasltls")) {
            more.put("listener.name." + listener + ".sasl.enabled.mechanisms", "PLAIN");
            more.put("listener.name." + listener + ".plain.sasl.jaas.config", PLAIN + " user_alice=\"right\";");
        }
        more.put("listener.name.mutual.ssl.client.auth", "required");
        kafka = PlainKafka.start(
                Files.createDirectory(folder.resolve("kafka")),
                List.of(
                        new PlainKafka.Listener("PLAIN", "PLAINTEXT"),
                        new PlainKafka.Listener("UNRESOLVED", "PLAINTEXT", "127.0.0.1", "kafka-0.kafka.invalid:19292"),
                        new PlainKafka.Listener("TLS", "SSL"),
                        new PlainKafka.Listener("OTHERNAME", "SSL", "127.0.0.2", ""),
                        new PlainKafka.Listener("MUTUAL", "SSL"),
                        new PlainKafka.Listener("SASL", "SASL_PLAINTEXT"),
                        new PlainKafka.Listener("SASLTLS", "SASL_SSL", "127.0.0.1", "kafka-1.kafka.invalid:9093")),
                more);
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    private static void connect(String bootstrap, Map<String, String> client) {
        ExternalCluster.connect(bootstrap, new TreeMap<>(client)).close();
    }

    private static Map<String, String> login(String protocol, String mechanism, String password) {
        Map<String, String> client = new HashMap<>(keys.client());
        client.put("security.protocol", protocol);
        client.put("sasl.mechanism", mechanism);
        String module = mechanism.equals("PLAIN") ? PLAIN : PLAIN.replace("plain.Plain", "scram.Scram");
        client.put("sasl.jaas.config", module + " username=\"alice\" password=\"" + password + "\";");
        return client;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UNRESOLVED | PLAINTEXT | ADDRESS answered; broker 1 advertises kafka-0.kafka.invalid:19292, which does not"
                        + " resolve on this machine (advertised.listeners)",
                "TLS | PLAINTEXT | ADDRESS speaks TLS, and security.protocol is PLAINTEXT; set security.protocol=SSL, and"
                        + " ssl.truststore.location if its certificate is not publicly signed",
                "PLAIN | SSL | ADDRESS does not use TLS, and security.protocol is SSL; set security.protocol=PLAINTEXT",
                "PLAIN | SASL_PLAINTEXT | ADDRESS does not use SASL, and security.protocol is SASL_PLAINTEXT; set"
                        + " security.protocol=PLAINTEXT",
                "SASL | PLAINTEXT | ADDRESS requires SASL, and security.protocol is PLAINTEXT; set"
                        + " security.protocol=SASL_PLAINTEXT, sasl.mechanism and sasl.jaas.config",
                "SASLTLS | SSL | ADDRESS requires SASL, and security.protocol is SSL; set"
                        + " security.protocol=SASL_SSL, sasl.mechanism and sasl.jaas.config",
                "SASLTLS | PLAINTEXT | ADDRESS speaks TLS and requires SASL, and security.protocol is"
                        + " PLAINTEXT; set security.protocol=SASL_SSL, sasl.mechanism and sasl.jaas.config, and"
                        + " ssl.truststore.location if its certificate is not publicly signed",
                "SASLTLS | SASL_SSL | ADDRESS answered; broker 1 advertises kafka-1.kafka.invalid:9093, which does not"
                        + " resolve on this machine (advertised.listeners)",
                "CONTROLLER | PLAINTEXT | ADDRESS is not for clients, for example a controller",
            })
    void aListenerThatDoesNotFitIsToldInOneLine(String listener, String protocol, String line) {
        String at = kafka.at(listener);
        assertThatThrownBy(() -> connect(at, login(protocol, "PLAIN", "right")))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessageStartingWith(line.replace("ADDRESS", at));
    }

    @Test
    void wrongMechanismAndWrongCredentialsHaveDifferentMessages() {
        assertThatThrownBy(() -> connect(kafka.at("SASL"), login("SASL_PLAINTEXT", "SCRAM-SHA-256", "right")))
                .hasMessageStartingWith(kafka.at("SASL") + " does not support sasl.mechanism=SCRAM-SHA-256")
                .hasMessageContaining("[PLAIN]");
        assertThatThrownBy(() -> connect(kafka.at("SASL"), login("SASL_PLAINTEXT", "PLAIN", "wrong")))
                .hasMessageStartingWith(kafka.at("SASL") + " rejects this client with sasl.mechanism=PLAIN: ")
                .hasMessageEndingWith("; check sasl.jaas.config");
        connect(kafka.at("SASL"), login("SASL_PLAINTEXT", "PLAIN", "right"));
    }

    @Test
    void untrustedCertificateAndWrongNameHaveDifferentMessages() {
        assertThatThrownBy(() -> connect(kafka.at("TLS"), Map.of("security.protocol", "SSL")))
                .hasMessageStartingWith(kafka.at("TLS") + " has a certificate that is not trusted: ")
                .hasMessageEndingWith("; check ssl.truststore.location, which is not set");
        String other = kafka.at("OTHERNAME");
        assertThatThrownBy(() -> connect(other, keys.client()))
                .hasMessageStartingWith(
                        other + " has a certificate for localhost, 127.0.0.1 but not for the" + " requested name: ");
        connect(kafka.at("TLS"), keys.client());
    }

    @Test
    void requiredClientCertificateIsReported() {
        assertThatThrownBy(() -> connect(kafka.at("MUTUAL"), keys.client()))
                .hasMessageStartingWith(kafka.at("MUTUAL") + " aborts the TLS handshake: ")
                .hasMessageContaining("check ssl.keystore.location");
    }

    /** Kafka's default is three replicas of its own topics, and this broker is the only one. */
    @Test
    void missingCoordinatorTopicsAreReportedInOneLineBeforeMeasuring() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.at("PLAIN")))) {
            admin.createTopics(List.of(new NewTopic("t", 1, (short) 1))).all().get();
        }
        String rest = " --topic t --num-records 5 --bootstrap-server " + kafka.at("PLAIN") + " --runs " + folder;
        Map<String, String> properties = Map.of(
                "perf consumer",
                "offsets.topic.replication.factor=3 its 1 broker cannot create topic __consumer_offsets",
                "perf producer --record-size 9 --throughput 5 --transactional-id mine",
                "transaction.state.log.replication.factor=3 its 1 broker cannot create topic" + " __transaction_state");
        properties.forEach((command, said) -> {
            Shell shell = Shell.weir((command + rest).split(" ", -1));
            assertThat(shell.exit()).as(shell.err()).isEqualTo(3);
            assertThat(shell.err().lines().filter(line -> line.contains("coordinator")))
                    .singleElement()
                    .asString()
                    .contains(said);
        });
    }

    @Test
    void webServerIsIdentifiedByItsAnswer() throws Exception {
        HttpServer web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.start();
        try {
            String at = "127.0.0.1:" + web.getAddress().getPort();
            assertThatThrownBy(() -> connect(at, Map.of()))
                    .hasMessageStartingWith(at + " is not a Kafka broker: it answers in HTTP, 'HTTP/1.1 ");
        } finally {
            web.stop(0);
        }
    }

    /** A broker that Weir did not start: Kafka's own main with a properties file and Kafka's defaults. */
    static final class PlainKafka implements AutoCloseable {
        private final Process process;
        private final Map<String, String> addresses;
        private final Path log;

        /** @param advertised empty for the address at which it listens */
        record Listener(String name, String protocol, String host, String advertised) {
            Listener(String name, String protocol) {
                this(name, protocol, "127.0.0.1", "");
            }
        }

        private PlainKafka(Process process, Map<String, String> addresses, Path log) {
            this.process = process;
            this.addresses = addresses;
            this.log = log;
        }

        /** @param listeners the first one is also that of the broker itself */
        static PlainKafka start(Path folder, List<Listener> listeners, Map<String, String> more) throws Exception {
            Map<String, String> addresses = new LinkedHashMap<>();
            List<ServerSocket> taken = new ArrayList<>();
            List<Listener> all = new ArrayList<>(listeners);
            all.add(new Listener("CONTROLLER", "PLAINTEXT"));
            for (Listener listener : all) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(listener.host()));
                taken.add(socket);
                addresses.put(listener.name(), listener.host() + ":" + socket.getLocalPort());
            }
            Map<String, String> properties = new TreeMap<>(Map.of(
                    "node.id",
                    "1",
                    "process.roles",
                    "broker,controller",
                    "controller.listener.names",
                    "CONTROLLER",
                    "controller.quorum.voters",
                    "1@" + addresses.get("CONTROLLER"),
                    "inter.broker.listener.name",
                    listeners.get(0).name(),
                    "log.dirs",
                    folder.resolve("data").toString()));
            properties.put("listeners", joined(all, each -> each.name() + "://" + addresses.get(each.name())));
            properties.put(
                    "advertised.listeners",
                    joined(
                            listeners,
                            each -> each.name() + "://"
                                    + (each.advertised().isEmpty() ? addresses.get(each.name()) : each.advertised())));
            properties.put("listener.security.protocol.map", joined(all, each -> each.name() + ":" + each.protocol()));
            properties.putAll(more);
            Path file = folder.resolve("server.properties");
            Files.write(
                    file,
                    properties.entrySet().stream()
                            .map(each -> each.getKey() + "=" + each.getValue().replace("\\", "\\\\"))
                            .toList());
            Path log = folder.resolve("kafka.log");
            String id = "PlainKafka-AAAAAAAAAAAA".substring(0, 22);
            Process format = java(log, "kafka.tools.StorageTool", "format", "-t", id, "-c", file.toString());
            if (format.waitFor() != 0) {
                throw new AssertionError(Files.readString(log));
            }
            for (ServerSocket socket : taken) {
                socket.close();
            }
            PlainKafka kafka = new PlainKafka(java(log, "kafka.Kafka", file.toString()), addresses, log);
            listeners.forEach(listener -> kafka.await(kafka.at(listener.name())));
            return kafka;
        }

        private interface Text {
            String of(Listener listener);
        }

        private static String joined(List<Listener> listeners, Text text) {
            return listeners.stream().map(text::of).collect(Collectors.joining(","));
        }

        private static Process java(Path log, String main, String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    Release.fetch("4.4.0", text -> {}).joined(),
                    main));
            command.addAll(List.of(arguments));
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        }

        private void await(String address) {
            String[] parts = address.split(":", -1);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
            while (true) {
                try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
                    if (socket.isConnected()) {
                        return;
                    }
                } catch (IOException notYet) {
                    if (!process.isAlive() || System.nanoTime() > deadline) {
                        process.destroyForcibly();
                        throw new AssertionError("no Kafka; its log: " + log, notYet);
                    }
                    LockSupport.parkNanos(50_000_000);
                }
            }
        }

        String at(String listener) {
            return Objects.requireNonNull(addresses.get(listener));
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
