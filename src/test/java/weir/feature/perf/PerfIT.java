package weir.feature.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.start.EmbeddedCluster;
import weir.real.Door;
import weir.real.KafkaTool;
import weir.real.SharedKafka;

/** Kafka's own performance tools and Weir's, on one broker. Scripts must not notice the difference. */
@ExtendWith(SharedKafka.class)
class PerfIT {
    private static final String OURS = "perf.Ours_1";
    /** Another topic, because the other test may run before, and this test needs a missing topic. */
    private static final String OURS_TOO = "perf.Ours_2";

    private static final String SHARED = "perf.Shared_1";
    /** The forms of the lines of an interval. A delayed tool sends the rest at once and prints no such line. */
    private static final Set<String> INTERVALS = Set.of(
            "In steady state.",
            "N records sent, N.d records/sec (N.dd MB/sec), N.d ms avg latency, N.d ms max latency.");

    @TempDir
    private Path folder;

    private interface Task {
        void with(Tools tools) throws Exception;
    }

    private void compared(SharedKafka.Clusters clusters, Task task) throws Exception {
        EmbeddedCluster cluster = clusters.one();
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            task.with(new Tools(folder.toRealPath(), cluster.bootstrap(), admin));
        }
    }

    @Test
    void producerPrintsTheLinesOfKafkasTool(SharedKafka.Clusters clusters) throws Exception {
        compared(clusters, tools -> tools.produce("only.Ours_3"));
    }

    @Test
    @Tag("long")
    void scriptsDoNotNoticeTheDifference(SharedKafka.Clusters clusters) throws Exception {
        compared(clusters, tools -> {
            tools.produce(OURS);
            tools.consume();
        });
    }

    @Test
    @Tag("long")
    void shareConsumerPrintsTheLinesOfKafkasTool(SharedKafka.Clusters clusters) throws Exception {
        compared(clusters, Tools::consumeShared);
    }

    @Test
    @Tag("long")
    void transactionAndFailureOutputMatchesKafkasTool(SharedKafka.Clusters clusters) throws Exception {
        compared(clusters, tools -> {
            tools.transact();
            tools.fail();
        });
    }

    private record Tools(Path folder, String bootstrap, Admin admin) {
        private static Process theirs(Path out, String tool, List<String> arguments) throws Exception {
            return KafkaTool.start(tool, out, out.resolveSibling(tool + ".errors"), arguments);
        }

        private Door.Ended ours(String command, String flags) throws Exception {
            List<String> arguments = new ArrayList<>(List.of("perf", command));
            arguments.addAll(flags(flags));
            return new Door(folder).weir(arguments.toArray(String[]::new));
        }

        private List<String> flags(String text) {
            List<String> flags = new ArrayList<>(List.of(text.split(" ")));
            flags.addAll(List.of("--bootstrap-server", bootstrap));
            return flags;
        }

        /** Returns the different lines without intervals; a number is only its count of decimals. */
        private static String shape(String output) {
            return output.lines()
                    .map(line -> line.replaceAll("\\b[0-9]+\\b(?=\\.[0-9])", "N")
                            .replaceAll("(?<!N\\.)\\b[0-9]+\\b", "N")
                            .replaceAll("[0-9]", "d"))
                    .filter(line -> !INTERVALS.contains(line))
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining("\n"));
        }

        private void produce(String ours) throws Exception {
            String flags = "--num-records 4000 --record-size 100 --throughput 1000 --warmup-records 1500"
                    + " --reporting-interval 1000 --command-property acks=1 linger.ms=1 --topic ";
            admin.createTopics(List.of(new NewTopic("theirs-" + ours, 1, (short) 1)))
                    .all()
                    .get();
            Path out = folder.resolve("producer.txt");
            Process tool = theirs(out, "ProducerPerformance", flags(flags + "theirs-" + ours));
            Door.Ended ended = ours("producer", flags + ours);
            assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(ended.exit()).as(ended.err()).isZero();
            assertThat(shape(ended.out())).isEqualTo(shape(Files.readString(out)));
            assertThat(ended.out()).contains("\n4000 records sent, ", "\n2500 steady state records sent, ");
            assertThat(ended.err())
                    .contains("topic '" + ours + "' did not exist; the broker created it")
                    .contains("response p50", "report: ")
                    .doesNotContain("deprecated");
            assertThat(records(ours)).isEqualTo(4_000);
        }

        private void consume() throws Exception {
            Path out = folder.resolve("consumer.txt");
            Process tool =
                    theirs(out, "ConsumerPerformance", flags("--topic " + OURS + " --num-records 5000 --timeout 2000"));
            Door.Ended first = ours("consumer", "--include perf.* --num-records 2000 --group mine");
            assertThat(first.exit()).as(first.err()).isZero();
            assertThat(first.out()).contains(", 2000, ").doesNotContain("WARNING");
            assertThat(committed("mine")).isEqualTo(2_000);
            Door.Ended rest = ours("consumer", "--topic " + OURS + " --num-records 5000 --group mine --timeout 2000");
            assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(rest.exit()).as(rest.err()).isZero();
            assertThat(shape(rest.out())).isEqualTo(shape(Files.readString(out)));
            assertThat(rest.out()).contains(", 2000, ", "WARNING: Exiting before");
            assertThat(committed("mine")).isEqualTo(4_000);
        }

        /** Both groups start at the oldest record, and Weir's own group is gone afterwards. */
        private void consumeShared() throws Exception {
            Door.Ended written =
                    ours("producer", "--num-records 3000 --record-size 100 --throughput -1 --topic " + SHARED);
            assertThat(written.exit()).as(written.err()).isZero();
            ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "theirs");
            AlterConfigOp earliest =
                    new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(group, List.of(earliest)))
                    .all()
                    .get();
            // Kafka's tool throws an exception if it reaches its timeout.
            String flags = "--num-records 3000 --timeout 30000 --show-consumer-stats --topic " + SHARED;
            Path out = folder.resolve("share-consumer.txt");
            Process tool = theirs(out, "ShareConsumerPerformance", flags(flags + " --group theirs"));
            Door.Ended ended = ours("share-consumer", flags);
            assertThat(tool.waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(ended.exit()).as(ended.err()).isZero();
            assertThat(shape(ended.out())).isEqualTo(shape(Files.readString(out)));
            assertThat(ended.out()).contains(", 3000, ").doesNotContain("WARNING");
            assertThat(admin.listGroups().all().get().stream().map(GroupListing::groupId))
                    .noneMatch(name -> name.startsWith("weir-perf-share"));
        }

        /** A commit takes as long as its transaction is open, and is not part of the latency in the lines. */
        private void transact() throws Exception {
            Door.Ended ended = ours(
                    "producer",
                    "--num-records 3000 --record-size 100 --throughput 1000 --transactional-id mine --topic "
                            + OURS_TOO);
            assertThat(ended.exit()).as(ended.err()).isZero();
            assertThat(ended.out()).contains("3000 records sent, ");
            assertThat(meanLatency(ended.out())).isLessThan(500);
            assertThat(ended.err()).containsPattern("service +p50 [1-9],[0-9]{3} ms");
            assertThat(admin.describeTransactions(List.of("mine"))
                            .description("mine")
                            .get()
                            .state())
                    .isEqualTo(TransactionState.COMPLETE_COMMIT);
        }

        /** The tool prints each exception and exits with 0. In a transaction its next send throws. */
        private void fail() throws Exception {
            String flags = "--num-records 20 --record-size 2000000 --throughput 100 --topic " + OURS_TOO;
            for (String more : List.of("", " --transactional-id large --transaction-duration-ms 50")) {
                Process tool = theirs(folder.resolve("failed.txt"), "ProducerPerformance", flags(flags + more));
                Door.Ended ended = ours("producer", flags + more);
                assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(ended.exit() == 0).as(ended.err()).isEqualTo(tool.exitValue() == 0);
                assertThat(ended.err())
                        .contains("20 records failed, ", "; failed with RecordTooLarge: 20 (max.request.size)")
                        .contains("no record was acknowledged")
                        .doesNotContain("response p50");
            }
        }

        private static double meanLatency(String out) {
            Matcher total = Pattern.compile("3000 records sent, .*, ([0-9.]+) ms avg latency")
                    .matcher(out);
            assertThat(total.find()).as(out).isTrue();
            return Double.parseDouble(total.group(1));
        }

        private long records(String topic) throws Exception {
            TopicPartition only = new TopicPartition(topic, 0);
            return admin.listOffsets(Map.of(only, OffsetSpec.latest()))
                    .partitionResult(only)
                    .get()
                    .offset();
        }

        private long committed(String group) throws Exception {
            return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().values().stream()
                    .mapToLong(OffsetAndMetadata::offset)
                    .sum();
        }
    }
}
