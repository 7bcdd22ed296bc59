package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.start.EmbeddedCluster;
import weir.load.Load;
import weir.load.LoadPlan;
import weir.load.LoadPlans;
import weir.load.engine.Engine;
import weir.load.message.Payloads;
import weir.load.wire.RecordAudience;
import weir.load.wire.WireEngine;
import weir.measure.Count;
import weir.measure.LoadListener;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.Variant;

/** The records of the wire engine, which are valid for Kafka's own tools: every codec, with and without idempotence. */
@ExtendWith(SharedKafka.class)
@Timeout(90)
class WrittenByWireIT implements LoadListener {
    private static final int RECORDS = 3_000;
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

    /** Batches made ahead and sent again, and batches written one by one with keys and headers. */
    private static final Map<Boolean, String> MADE =
            Map.of(true, "value: { size: 100..400B }", false, "key: sequence, value: { size: 20B }");

    @TempDir
    Path folder;

    @Test
    @Tag("long")
    void kafkasOwnToolsReadIt(SharedKafka.Clusters clusters) throws Exception {
        EmbeddedCluster cluster = clusters.one();
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            List<String> topics = new ArrayList<>();
            for (String codec : CODECS) {
                for (boolean idempotent : List.of(true, false)) {
                    String topic = "wire-" + codec + "-" + idempotent;
                    topics.add(topic);
                    admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1)))
                            .all()
                            .get();
                    write(cluster, topic, codec, idempotent);
                }
            }
            String read = KafkaTool.run(
                    folder,
                    "consumer.ConsoleConsumer",
                    "--bootstrap-server",
                    cluster.bootstrap(),
                    "--include",
                    "wire-.*",
                    "--from-beginning",
                    "--timeout-ms",
                    "20000",
                    "--max-messages",
                    String.valueOf(RECORDS * topics.size()));
            assertThat(read).contains("Processed a total of " + RECORDS * topics.size() + " messages");
            String dumped = KafkaTool.run(folder, "DumpLogSegments", "--deep-iteration", "--files", segments(admin));
            assertThat(dumped).doesNotContain("isvalid: false").doesNotContain("Found");
            assertThat(dumped.lines().filter(line -> line.contains("isvalid: true")))
                    .hasSizeGreaterThan(20);
            assertThat(dumped.lines().filter(line -> line.startsWith("| offset:")))
                    .hasSize(RECORDS * topics.size());
            for (String codec : CODECS) {
                assertThat(dumped).contains("compresscodec: " + codec);
            }
        }
    }

    private void write(EmbeddedCluster cluster, String topic, String codec, boolean idempotent) throws IOException {
        Variant variant = Carried.variant(folder, """
                load: { workload: produce, rate: max, %s }
                warmup: none
                measure: { operations: %d }
                """.formatted(MADE.get(idempotent), RECORDS));
        TreeMap<String, String> producer = new TreeMap<>(
                Map.of("compression.type", codec, "enable.idempotence", String.valueOf(idempotent), "linger.ms", "5"));
        WireEngine engine = new WireEngine(
                new WireEngine.Asked(
                        new TreeMap<>(cluster.clientProperties()),
                        producer,
                        new TreeMap<>(),
                        List.of(topic),
                        1,
                        false,
                        RecordAudience.LATER),
                System::nanoTime,
                System::currentTimeMillis,
                text -> {});
        Payloads payloads = Payloads.of(variant.load(), folder, 1);
        LoadPlan plan = LoadPlans.alone(variant, payloads, 7, System.nanoTime());
        try (Load load = new Load(plan, Engine.of(engine), payloads, System::nanoTime, this)) {
            load.prepare(Duration.ofSeconds(10));
            load.measure(System.nanoTime() + 5_000_000);
            load.finishSending(System.nanoTime() + 10_000_000_000L);
            assertThat(load.finish().balance(Steps.FILL, Steps.MEASURE).of(Count.ACKED))
                    .as(topic)
                    .isEqualTo(RECORDS);
        }
    }

    private static String segments(Admin admin) throws Exception {
        List<Path> folders = admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1).keySet().stream()
                .map(Path::of)
                .toList();
        List<String> logs = new ArrayList<>();
        // Not all files: other tests delete their topics meanwhile.
        try (DirectoryStream<Path> partitions = Files.newDirectoryStream(folders.get(0), "wire-*")) {
            for (Path partition : partitions) {
                try (DirectoryStream<Path> segments = Files.newDirectoryStream(partition, "*.log")) {
                    segments.forEach(segment -> logs.add(segment.toString()));
                }
            }
        }
        return String.join(",", logs);
    }

    @Override
    public void window(Snapshot snapshot) {}
}
