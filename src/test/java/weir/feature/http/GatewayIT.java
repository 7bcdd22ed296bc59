package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.KnownToWork;
import weir.real.Door;
import weir.real.SharedKafka;

/** The gateway as its users start it, in front of a real Kafka, with clients that are not Weir's. */
@ExtendWith(SharedKafka.class)
@Timeout(120)
class GatewayIT {
    /** A configuration of HAProxy without its check and its servers. */
    private static final String HAPROXY = """
            defaults
                mode http
                timeout connect 5s
                timeout client 50s
                timeout server 50s
            frontend mine
                bind 127.0.0.1:{port}
                default_backend gateways
            backend gateways
            """;

    @TempDir
    private Path folder;

    private Door door = new Door(Path.of(""));
    private String bootstrap = "";

    @BeforeEach
    void open(SharedKafka.Clusters clusters) throws IOException {
        door = new Door(folder.toRealPath());
        bootstrap = clusters.one().bootstrap();
    }

    static String topic(String bootstrap) throws Exception {
        String name = "gateway-" + Long.toHexString(System.nanoTime());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(name, 2, (short) 1))).all().get(20, TimeUnit.SECONDS);
        }
        return name;
    }

    private Door.Running gateway(String... more) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("gateway", "--bootstrap-server", bootstrap, "--listen", "127.0.0.1:0"));
        command.addAll(List.of(more));
        return door.start(command.toArray(String[]::new));
    }

    private static String url(Door.Running gateway) throws IOException {
        while (!Files.readString(gateway.out()).endsWith("\n")) {
            assertThat(gateway.process().isAlive())
                    .as(Files.readString(gateway.err()))
                    .isTrue();
            LockSupport.parkNanos(20_000_000);
        }
        return Files.readString(gateway.out()).strip();
    }

    private List<ConsumerRecord<String, String>> log(String topic) {
        return log(bootstrap, topic, new StringDeserializer());
    }

    /** Reads all records of a topic, as a client without knowledge of Weir does it. */
    static <T> List<ConsumerRecord<T, T>> log(String bootstrap, String topic, Deserializer<T> form) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", bootstrap);
        try (KafkaConsumer<T, T> consumer = new KafkaConsumer<>(properties, form, form)) {
            List<TopicPartition> all = List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
            consumer.assign(all);
            consumer.seekToBeginning(all);
            long end = consumer.endOffsets(all).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            List<ConsumerRecord<T, T>> records = new ArrayList<>();
            while (records.size() < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            return records;
        }
    }

    @Test
    void gatewayWritesRecordsToTheAnsweredOffsets() throws Exception {
        String topic = topic(bootstrap);
        Door.Running gateway = gateway("--producer-property", "linger.ms=1");
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(url(gateway) + "/topics/" + topic + "?key=k"))
                        .header("Content-Type", "application/x-ndjson")
                        .POST(HttpRequest.BodyPublishers.ofString("one\ntwo"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        List<ConsumerRecord<String, String>> log = log(topic);
        assertThat(log).extracting(ConsumerRecord::value).containsExactly("one", "two");
        assertThat(log).extracting(ConsumerRecord::key).containsOnly("k");
        int partition = log.get(0).partition();
        assertThat(answer.body())
                .isEqualTo("{\"offsets\":[{\"partition\":" + partition + ",\"offset\":0},{\"partition\":" + partition
                        + ",\"offset\":1}]}\n");
        gateway.signal("TERM");
        assertThat(gateway.end().exit()).isZero();
    }

    /** Clients that send until no gateway answers, each request with a different value. */
    private static final class Clients {
        final Set<String> acked = ConcurrentHashMap.newKeySet();
        final AtomicInteger wrong = new AtomicInteger();
        private final List<Thread> threads = new ArrayList<>();

        Clients(int count, URI at) {
            for (int i = 0; i < count; i++) {
                int number = i;
                Thread thread = new Thread(() -> send(number, at), "client-" + i);
                thread.start();
                threads.add(thread);
            }
        }

        private void send(int number, URI at) {
            HttpClient client = HttpClient.newHttpClient();
            try {
                for (int i = 0; ; i++) {
                    String value = number + "-" + i;
                    HttpResponse<String> answer = client.send(
                            HttpRequest.newBuilder(at)
                                    .timeout(Duration.ofSeconds(20))
                                    .POST(HttpRequest.BodyPublishers.ofString(value))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
                    if (answer.statusCode() == 200) {
                        acked.add(value);
                    } else {
                        wrong.incrementAndGet();
                    }
                }
            } catch (IOException over) {
                // The gateway has gone.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void end() throws InterruptedException {
            for (Thread thread : threads) {
                thread.join(30_000);
                assertThat(thread.isAlive()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "KILL"})
    @Tag("long")
    void ackedRecordsAreInKafkaHoweverTheGatewayEnds(String signal) throws Exception {
        String topic = topic(bootstrap);
        Door.Running gateway = gateway();
        URI at = URI.create(url(gateway) + "/topics/" + topic);
        Clients clients = new Clients(8, at);
        while (clients.acked.size() < 500) {
            LockSupport.parkNanos(1_000_000);
        }
        ProcessHandle jvm = gateway.process().toHandle();
        new ProcessBuilder("kill", "-" + signal, Long.toString(jvm.pid()))
                .start()
                .waitFor();
        Door.Ended ended = gateway.end();
        clients.end();
        Set<String> log = new HashSet<>();
        List<ConsumerRecord<String, String>> records = log(topic);
        records.forEach(record -> log.add(record.value()));
        assertThat(log).containsAll(clients.acked);
        assertThat(records).hasSameSizeAs(log);
        assertThat(clients.wrong).hasValue(0);
        if (signal.equals("TERM")) {
            assertThat(ended.exit()).isZero();
            // The gateway answered all accepted requests, so every written record was acknowledged.
            assertThat(clients.acked).hasSameSizeAs(log);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--listen 0.0.0.0:0|is an address that other machines can reach",
                "--listen here|has no port",
                "--listen no.such.host.invalid:80|does not resolve",
                "--producer-property acks=seven|acks",
                "--producer-property lingerms=1|lingerms",
                "--answer later|later",
                "--token-file nowhere|cannot be read",
                "--tls-key nowhere|--tls-key needs --tls-cert",
            })
    void gatewayMistakeIsReportedInOneLine(String text) throws Exception {
        String[] wrong = text.split("\\|", 2);
        List<String> command = new ArrayList<>(List.of("gateway", "--bootstrap-server", bootstrap));
        command.addAll(List.of(wrong[0].split(" ", -1)));
        Door.Ended ended = door.weir(command.toArray(String[]::new));
        assertThat(ended.exit()).as(ended.err()).isEqualTo(2);
        assertThat(ended.err()).contains(wrong[1]).doesNotContain("\tat ");
        assertThat(ended.err().lines().filter(line -> !line.isBlank())).hasSizeLessThan(7);
    }

    /** Sends through one balancer with this configuration. */
    private Door.Ended balanced(String balancer, String config) throws Exception {
        String name = balancer + (balancer.equals("nginx") ? ".conf" : ".cfg");
        Files.writeString(folder.resolve(name), config);
        Files.writeString(folder.resolve("own.yaml"), """
                name: own
                cluster: { bootstrap: "%s" }
                topics: { %s: { existing: true } }
                bridge: { gateway: { instances: 2 }, balancer: %s, config: %s }
                load: { workload: produce, engine: { send: http, receive: client }, rate: one at a time, value: { size: 100B } }
                warmup: none
                measure: { operations: 100 }
                """.formatted(bootstrap, topic(bootstrap), balancer, name));
        return door.weir("run", "--yes", "own.yaml");
    }

    @Test
    @Tag("long")
    @KnownToWork("HTTP client: HAProxy with option httpchk HEAD /healthz")
    void haproxyTakesAFileOfTheUsersOwn() throws Exception {
        assertBalances("haproxy", HAPROXY + """
                    option httpchk HEAD /healthz
                    server a {gateway-1} check inter 1s fall 3
                    server b {gateway-2} check inter 1s fall 3
                """);
    }

    @Test
    @Tag("long")
    @KnownToWork("HTTP client: nginx with a file of your own")
    void nginxTakesAFileOfTheUsersOwn() throws Exception {
        assertBalances("nginx", """
                events { }
                http {
                    access_log off;
                    client_body_temp_path body;
                    proxy_temp_path proxy;
                    fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi;
                    scgi_temp_path scgi;
                    upstream mine { server {gateway-1}; server {gateway-2}; }
                    server { listen 127.0.0.1:{port}; location / { proxy_pass http://mine; } }
                }
                """);
    }

    private void assertBalances(String balancer, String config) throws Exception {
        Door.Ended ended = balanced(balancer, config);
        assertThat(ended.exit()).as(ended.out() + ended.err()).isZero();
        assertThat(ended.out()).containsPattern("(?m)^ *base 1 .* 0 +0$");
        try (Stream<Path> files = Files.walk(folder.resolve("runs"))) {
            Path used = files.filter(file -> file.endsWith(Path.of(balancer, balancer + ".conf")))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(used)).contains("mine").doesNotContain("{port}", "{gateway");
        }
    }

    @Test
    @Tag("long")
    void balancerWithoutServersRaisesACaveat() throws Exception {
        Door.Ended ended = balanced("haproxy", HAPROXY + """
                    option httpchk HEAD /nowhere
                    timeout check 10s
                    default-server inter 300ms fall 1
                    server a {gateway-1} check
                    server b {gateway-2} check
                """);
        assertThat(ended.out() + ended.err())
                .containsPattern(
                        "servers-taken-out: haproxy servers at .*: Server gateways/[ab] is DOWN, reason: .*code: 404");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "haproxy|bind {port} {gateway-1}|haproxy.cfg has no {gateway-2}",
                "haproxy|bind {port} {gateway-1} {gateway-2}|haproxy refused haproxy.cfg",
                "nginx|events { } http { listens {port} {gateway-1} {gateway-2}; }|nginx refused nginx.conf",
            })
    @Tag("long")
    void unusableBalancerFileIsRefusedBeforeTheRun(String text) throws Exception {
        String[] parts = text.split("\\|", 3);
        Door.Ended ended = balanced(parts[0], parts[1]);
        assertThat(ended.exit()).as(ended.err()).isEqualTo(2);
        assertThat(ended.err()).contains("bridge.config: " + parts[2]).doesNotContain("\tat ", "weir-balancer-");
        assertThat(folder.resolve("runs")).doesNotExist();
    }
}
