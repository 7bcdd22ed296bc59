package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of many kinds in all input of a run, and none of them in its output, its pages or its processes. */
@Timeout(120)
class SecretsIT {
    private static final List<String> WHOLE =
            List.of(("ssl.key.password ssl.keystore.password ssl.truststore.password ssl.keystore.key "
                            + "ssl.keystore.certificate.chain ssl.truststore.certificates "
                            + "sasl.oauthbearer.client.credentials.client.secret "
                            + "sasl.oauthbearer.assertion.private.key.passphrase schema.registry.ssl.key.password "
                            + "bearer.auth.token confluent.license aws.secret.access.key aws.access.key.id "
                            + "azure.account.key my.api-key client_secret db.passwd vault.pin some.thing "
                            + "no.such.thing.class")
                    .split(" ", -1));

    /** Properties with a secret, S, within their value. */
    private static final List<String> WITHIN = List.of(
            "basic.auth.user.info=KEY:S",
            "schema.registry.basic.auth.user.info=KEY:S",
            "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"S\";",
            "sasl.oauthbearer.token.endpoint.url=https://client:S@idp.invalid/token",
            "schema.registry.url=https://KEY:S@registry.invalid",
            "proxy.url=http://bob:S@proxy.invalid:1",
            "webhook=https://hooks.invalid/services/S",
            "my.connection=Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=S",
            "my.header=Authorization: Bearer S",
            "my.basic.header=Authorization: Basic S==",
            "my.cookie=session=S; path=/",
            "my.json={\"user\": \"bob\", \"password\": \"S\"}",
            "my.lines=one\\ntwo\\nS",
            "my.pem=-----BEGIN PRIVATE KEY-----S-----END PRIVATE KEY-----",
            "client.rack=password=S",
            "config.providers.vault.param.token=S");

    @TempDir
    private Path folder;

    private final List<String> planted = new ArrayList<>();

    private String secret() {
        planted.add("Zq%02d-hush-Jx".formatted(planted.size()));
        return planted.get(planted.size() - 1);
    }

    private Path file() throws IOException {
        Properties client = new Properties();
        WHOLE.forEach(name -> client.put(name, secret()));
        WITHIN.forEach(line -> client.put(
                line.substring(0, line.indexOf('=')),
                line.substring(line.indexOf('=') + 1).replaceAll("\\bS\\b", secret())));
        Path vault = Files.writeString(folder.resolve("vault.properties"), "a=" + secret() + "\nb=" + secret() + "\n");
        client.put("config.providers", "vault");
        client.put("config.providers.vault.class", FileConfigProvider.class.getName());
        client.put("my.provided", "x ${vault:" + vault + ":a}");
        client.put("metric.reporters", "");
        client.put("client.id", "from ${vault:" + vault + ":b} and ${env:TRIED_SECRET}");
        planted.add(Door.SECRET);
        Path file = folder.resolve("client.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            client.store(writer, "");
        }
        return file;
    }

    @Test
    void secretsOfARunAreNotInFilesOutputOrArguments() throws Exception {
        Path client = file();
        Door door = new Door(Files.createDirectories(folder.resolve("door")).toRealPath());
        Path experiment =
                Files.writeString(folder.resolve("planted.yaml"), """
                cluster: { heap: 256MiB, jvm: [-XX:TieredStopAtLevel=1], client: %s }
                load:
                  workload: deliver
                  rate: 200/s
                  producer: { plugin: { my.literal: %s, my.pair: "KEY:%s" } }
                  consumer: { plugin: { my.url: "http://bob:%s@x.invalid" } }
                warmup: none
                measure: 2s
                """.formatted(client, secret(), secret(), secret()));
        Door.Running running = door.start(
                "run",
                experiment.toString(),
                "--set",
                "load.producer.plugin.my.set=" + secret(),
                "--format",
                "json",
                "--out",
                "junit=" + door.folder().resolve("junit.xml"));
        List<String> processes = List.of();
        while (running.process().isAlive() && processes.stream().noneMatch(SecretsIT::ofWorker)) {
            LockSupport.parkNanos(20_000_000);
            processes = commandLines(running.process().pid());
        }
        Door.Ended ended = running.end();
        // On a busy machine the figures may be invalid. This test needs only their output.
        assertThat(ended.exit()).as(ended.err()).isIn(0, 4);
        assertThat(planted).hasSizeGreaterThanOrEqualTo(40);
        assertThat(processes.stream().anyMatch(SecretsIT::ofWorker)).isTrue();
        assertNowhere(processes);
        List<Path> left = files(door.folder());
        assertThat(left)
                .anyMatch(path -> path.endsWith("report.html"))
                .anyMatch(path -> path.endsWith("experiment.yaml"));
        for (Path path : left) {
            assertNowhere(List.of(path + ":\n" + Files.readString(path, StandardCharsets.ISO_8859_1)));
        }
        Door.Ended refused = door.weir(
                "perf",
                "producer",
                "--topic",
                "t",
                "--num-records",
                "1",
                "--record-size",
                "9",
                "--throughput",
                "-1",
                "--bootstrap-server",
                "127.0.0.1:9",
                "--command-config",
                client.toString(),
                "--command-property",
                "security.protocol=SSL",
                "my.other=" + secret());
        assertThat(refused.exit()).isNotZero();
        assertNowhere(List.of(refused.out(), refused.err()));
    }

    private static boolean ofWorker(String commandLine) {
        return commandLine.contains("weir.worker.WorkerMain");
    }

    private void assertNowhere(List<String> texts) {
        for (String text : texts) {
            for (String each : planted) {
                int at = text.indexOf(each);
                String around = at < 0 ? "" : text.substring(Math.max(0, at - 200), at + each.length());
                assertThat(around).as(text.lines().findFirst().orElse("")).isEmpty();
            }
        }
    }

    /** Returns the command lines of all processes except the command of the user. */
    private static List<String> commandLines(long typed) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(path ->
                            path.getFileName().toString().matches("\\d+") && !path.endsWith(Long.toString(typed)))
                    .toList()) {
                try {
                    lines.add(Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1));
                } catch (IOException ended) {
                    lines.add("");
                }
            }
        }
        return lines;
    }

    private static List<Path> files(Path below) {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
