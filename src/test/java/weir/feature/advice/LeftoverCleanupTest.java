package weir.feature.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cli.DoctorOutput;
import weir.cluster.ClusterUnavailable;
import weir.host.Journal;
import weir.host.Leftovers;
import weir.host.Leftovers.ResourceType;
import weir.host.ProcessId;
import weir.plan.RecordKeys;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.Trials;

class LeftoverCleanupTest {
    private static Leftovers.Deletion unreachable(String bootstrap) {
        throw new ClusterUnavailable("no Kafka answered at '" + bootstrap + "'");
    }

    private static final RequestedExperiment ASKED = Trials.asked("a");

    @TempDir
    private Path folder;

    private Path run(String name, String... files) throws IOException {
        Path run = Files.createDirectories(folder.resolve("runs").resolve(name));
        for (String file : files) {
            Path at = run.resolve(file);
            Files.createDirectories(at.getParent());
            Files.writeString(at, "x");
        }
        return run;
    }

    private LeftoverCleanup found() {
        return LeftoverCleanup.find(folder, folder.resolve("runs"));
    }

    @Test
    void onlyRunsWithoutMeasurementsAreDeleted() throws Exception {
        Path empty =
                run("20261120-120000-a", "experiment.yaml", "experiment.json", "machine.json.part", "canary-1.bin");
        Files.createDirectory(empty.resolve("trials"));
        Path bare = run("20261120-120001-b");
        Path half = run("20261120-120002-c", "experiment.json", "trials/01-c-1/windows.csv.part");
        Path done = run("20261120-120003-d", "experiment.json", "conclusion.json");
        Path photos = run("20261120-120004-photos", "beach.jpg");
        Path other = run("photos", "beach.jpg");
        assertThat(found().leftovers())
                .extracting(DoctorOutput.Leftover::what)
                .containsExactly(empty.toString(), bare.toString(), half.toString(), photos.toString());
        assertThat(found().leftovers().get(3).then()).startsWith("is not a complete run, so --clean keeps it: ");
        assertThat(found().clean("", LeftoverCleanupTest::unreachable).done())
                .containsExactly("deleted " + empty, "deleted " + bare);
        assertThat(List.of(half, done, photos, other)).allMatch(Files::isDirectory);
        assertThat(empty).doesNotExist();
    }

    @Test
    void activeRunIsNoLeftover() throws Exception {
        Path run = run("20261120-120000-a", "experiment.json");
        try (Journal journal = Journal.open(folder)) {
            journal.run(run);
            assertThat(found().leftovers()).isEmpty();
            journal.runOver(run);
            assertThat(found().emptyRuns()).containsExactly(run);
        }
    }

    @Test
    void endedClusterIsRemovedWithItsData() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data/log"));
        Path cluster = Files.createDirectories(folder.resolve("clusters/mine"));
        Files.writeString(cluster.resolve("cluster.properties"), """
                name=mine
                bootstrap=127.0.0.1\\:9092
                processes=999999999 boot\\:1,cut
                folder.0=%s
                """.formatted(data.getParent()));
        assertThat(found().leftovers())
                .extracting(DoctorOutput.Leftover::what)
                .containsExactly("mine: 0 of 1 processes run");
        assertThat(found().clean("", LeftoverCleanupTest::unreachable).done())
                .containsExactly("deleted the remains of cluster 'mine'");
        assertThat(data.getParent()).doesNotExist();
        assertThat(cluster).doesNotExist();
        assertThat(found().leftovers()).isEmpty();
    }

    @Test
    void leftoversOfAnUnreachableClusterAreKeptAndReportedWithACommand() throws Exception {
        Path journal = Files.createDirectories(folder.resolve("journal"));
        Files.writeString(journal.resolve("999999999~boot:1~a.txt"), """
                + topic elsewhere%3A9092%2C+other%3A9092 weir-a
                + topic elsewhere%3A9092%2C+other%3A9092 weir-b
                + group elsewhere%3A9092%2C+other%3A9092 weir-g
                """);
        Journal.Cleared cleared = found().clean("", LeftoverCleanupTest::unreachable);
        assertThat(cleared.done()).isEmpty();
        assertThat(cleared.failed())
                .satisfiesExactly(
                        topics -> assertThat(topics)
                                .contains(
                                        "topics weir-a, weir-b on elsewhere:9092, other:9092 may remain: no Kafka answered",
                                        "kafka-topics.sh --bootstrap-server 'elsewhere:9092, other:9092' --delete --topic"
                                                + " weir-a,weir-b",
                                        "from the journal"),
                        group -> assertThat(group)
                                .contains("group weir-g on", "kafka-consumer-groups.sh", "--delete --group weir-g"));
        assertThat(found().leftovers())
                .extracting(DoctorOutput.Leftover::what)
                .containsExactly(
                        "weir-a on elsewhere:9092, other:9092",
                        "weir-b on elsewhere:9092, other:9092",
                        "weir-g on elsewhere:9092, other:9092");
    }

    @Test
    void resumeCommandOfAHalfRunQuotesBlanks() throws Exception {
        Path runs = Files.createDirectories(folder.resolve("my runs"));
        RunFolder run = RunFolder.create(runs, Instant.EPOCH, "name: a", ASKED, path -> {});
        Files.writeString(
                Files.createDirectories(run.path().resolve("trials/01-a-1")).resolve("probes.csv"), "x");
        assertThat(LeftoverCleanup.find(folder, runs).leftovers().get(0).then())
                .contains("to see it: weir report '" + run.path() + "'")
                .contains("weir run x.yaml --resume '" + run.path() + "'");
    }

    private record Clusters(Map<String, Set<String>> topics) implements Function<String, Leftovers.Deletion> {
        @Override
        public Leftovers.Deletion apply(String bootstrap) {
            Set<String> there = topics.get(bootstrap);
            if (there == null) {
                throw new ClusterUnavailable("no Kafka answered at '" + bootstrap + "'");
            }
            return new Leftovers.Deletion() {
                @Override
                public Set<String> topics(Collection<String> names) {
                    return names.stream().filter(there::contains).collect(Collectors.toSet());
                }

                @Override
                public void delete(Leftovers.Resource resource) {
                    there.remove(resource.name());
                }

                @Override
                public void close() {}
            };
        }
    }

    private LeftoverCleanup left(String kind, Object one) {
        Leftovers none = new Leftovers(
                new ProcessId(1, "x"),
                folder.resolve("journal.txt"),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                false);
        Leftovers left = RecordKeys.with(none, Map.of(kind, List.of(one)));
        return new LeftoverCleanup(List.of(left), List.of(), List.of(), List.of());
    }

    private LeftoverCleanup leftAt(String bootstrap) {
        return left("resources", new Leftovers.Resource(ResourceType.TOPIC, bootstrap, "weir-a-1-weir"));
    }

    @Test
    void leftControlGroupIsReported() {
        assertThat(left("groups", Path.of("/sys/fs/cgroup/cpu/weir-broker-1-7-1"))
                        .leftovers())
                .singleElement()
                .satisfies(told -> {
                    assertThat(told.kind()).isEqualTo("cgroup");
                    assertThat(told.what()).isEqualTo("/sys/fs/cgroup/cpu/weir-broker-1-7-1");
                });
    }

    @Test
    void cleanupIgnoresTopicsOfOtherClusters() {
        Clusters given = new Clusters(Map.of("b:2", new TreeSet<>(Set.of("theirs"))));
        assertThat(leftAt("a:1").clean("b:2", given).done()).isEmpty();
        assertThat(leftAt("a:1").clean("b:2", given).failed())
                .singleElement()
                .asString()
                .startsWith("topic weir-a-1-weir on a:1 may remain: no Kafka answered at 'a:1'");
        Clusters both = new Clusters(Map.of("b:2", new TreeSet<>(), "a:1", new TreeSet<>(Set.of("weir-a-1-weir"))));
        assertThat(leftAt("a:1").clean("b:2", both).done())
                .containsExactly("topic 'weir-a-1-weir' was removed from a:1");
        assertThat(both.topics().get("a:1")).isEmpty();
    }

    @Test
    void leftoverTopicIsDeletedAtTheGivenAddress() {
        Clusters given = new Clusters(Map.of("b:2", new TreeSet<>(Set.of("weir-a-1-weir", "theirs"))));
        assertThat(leftAt("a:1").clean("b:2", given).done())
                .containsExactly("topic 'weir-a-1-weir' was removed from b:2");
        assertThat(given.topics().get("b:2")).containsExactly("theirs");
    }

    /** A run begins and ends repeatedly while a cleanup runs. */
    @Test
    void startingRunIsNeverDeleted() throws Exception {
        Path runs = Files.createDirectories(folder.resolve("runs"));
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> clearing = thread.submit(() -> {
                int looks = 0;
                while (!over.get()) {
                    assertThat(LeftoverCleanup.find(folder, runs)
                                    .clean("", LeftoverCleanupTest::unreachable)
                                    .lines())
                            .isEmpty();
                    looks++;
                }
                return looks;
            });
            for (int number = 0; number < 150; number++) {
                try (Journal journal = Journal.open(folder)) {
                    RunFolder run =
                            RunFolder.create(runs, Instant.ofEpochSecond(number), "name: a", ASKED, journal::run);
                    assertThat(run.path()).isDirectory();
                    run.put("conclusion.json", "{}");
                    journal.runOver(run.path());
                }
            }
            over.set(true);
            assertThat(clearing.get()).isPositive();
        } finally {
            over.set(true);
            thread.shutdown();
        }
    }
}
