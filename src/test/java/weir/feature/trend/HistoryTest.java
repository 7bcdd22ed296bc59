package weir.feature.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;
import weir.results.Machine;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.StoredRun;
import weir.results.UnreadableRunException;

class HistoryTest {
    @TempDir
    private Path root;

    private List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void keptHistoryIsReadBack() {
        List<HistoryEntry> runs = new SyntheticHistory().nights(5).runs();
        Path folder = root.resolve("new/one");
        runs.forEach(run -> History.keep(folder, run));
        History history = History.read(folder, "nightly");
        assertThat(history.runs()).isEqualTo(runs);
        assertThat(history.damaged()).isEmpty();
    }

    @Test
    void resumedRunReplacesItsHistoryEntryAndOtherRunsDoNot() throws IOException {
        HistoryEntry run = new SyntheticHistory().nights(1).runs().get(0);
        HistoryEntry resumed = new SyntheticHistory()
                .level("response p99", 99)
                .nights(1)
                .runs()
                .get(0);
        History.keep(root, run);
        History.keep(root, resumed);
        assertThat(History.read(root, "nightly").runs()).containsExactly(resumed);
        String other = run.toJson().replace("T02:00:00Z", "T02:00:00.7Z");
        Path copy = Files.writeString(root.resolve("other.json"), other);
        History.keep(root, HistoryEntry.read(copy));
        Files.delete(copy);
        assertThat(History.read(root, "nightly").runs()).hasSize(2);
        assertThat(files(root)).hasSize(2);
    }

    @Test
    void invalidHistoryEntryIsDamaged() throws IOException {
        HistoryEntry run = new SyntheticHistory().nights(1).runs().get(0);
        History.keep(root, run);
        Path file = files(root).get(0);
        String line = run.toJson();
        String figures = line.substring(line.indexOf("\"figures\":"));
        for (String wrong : List.of(
                line.replace(figures, "\"figures\":{\"base\":{}}}"),
                line.replace(figures, "\"figures\":{\"base\":{\"response p99\":[]}}}"),
                line.replace(figures, "\"figures\":{\"base\":{\"response p99\":[-3]}}}"),
                line.replace("\"valid\"", "\"banana\""),
                line + " garbage",
                line + line,
                line.replace("\"run\":\"20260901", "\"run\":\"zzz"),
                line.replace("\"run\":\"20260901", "\"run\":\"20260902"),
                line.replace("\"commit\":\"0abc000\"", "\"commit\":\"a\\nb\""))) {
            Files.writeString(file, wrong);
            assertThat(History.read(root, "nightly").runs()).as(wrong).isEmpty();
            assertThat(History.read(root, "nightly").damaged())
                    .as(wrong)
                    .singleElement()
                    .asString()
                    .startsWith(file.toString())
                    .hasLineCount(1);
        }
    }

    @Test
    void historyEntryWithoutTrialsIsReplacedOnResume() throws IOException {
        HistoryEntry run = new SyntheticHistory().nights(1).runs().get(0);
        Path copy = Files.writeString(
                root.resolve("copy.json"),
                run.toJson().replace("\"startedAt\":\"2026-09-01T02:00:00Z\"", "\"startedAt\":\"\""));
        History.keep(root.resolve("history"), HistoryEntry.read(copy));
        History.keep(root.resolve("history"), run);
        assertThat(History.read(root.resolve("history"), "nightly").runs()).containsExactly(run);
    }

    @Test
    void concurrentRunsAreAddedToAHistory() throws IOException {
        List<HistoryEntry> runs = new SyntheticHistory().nights(64).runs();
        runs.parallelStream().forEach(run -> {
            History.keep(root, run);
            History.keep(root, run);
        });
        assertThat(History.read(root, "nightly").runs()).isEqualTo(runs);
        assertThat(files(root)).hasSize(64);
    }

    @Test
    void damagedHistoryFilesAreReportedAndOthersAreRead() throws IOException {
        new SyntheticHistory().nights(5).runs().forEach(run -> History.keep(root, run));
        List<Path> files = files(root);
        Files.writeString(files.get(1), Files.readString(files.get(1)).substring(0, 300));
        Files.writeString(files.get(2), Files.readString(files.get(2)).replace("{\"version\":1", "{\"version\":2"));
        Files.writeString(files.get(3), "{}");
        History history = History.read(root, "nightly");
        assertThat(history.runs()).hasSize(2);
        assertThat(history.damaged()).hasSize(3);
        assertThat(history.damaged().get(0)).contains(files.get(1).toString(), "Unexpected end-of-input");
        assertThat(history.damaged().get(1))
                .endsWith("has version 2, but this Weir reads version 1; use the Weir that wrote it");
        assertThat(history.damaged().get(2)).startsWith(files.get(3).toString());
        assertThat(history.damaged()).allSatisfy(line -> assertThat(line).hasLineCount(1));
    }

    @Test
    void foreignFolderIsRefusedAsHistory() throws IOException {
        Path empty = Files.createDirectory(root.resolve("empty"));
        Path file = Files.writeString(root.resolve("file"), "");
        Path other = Files.createDirectory(root.resolve("other"));
        Files.writeString(other.resolve("pom.xml"), "");
        for (Path wrong : List.of(empty, file, other, root.resolve("none"))) {
            assertThatThrownBy(() -> History.read(wrong, "nightly"))
                    .isInstanceOf(UnreadableRunException.class)
                    .hasMessageStartingWith(wrong + ": ")
                    .hasMessageContaining("weir run FILE --history DIR");
        }
        for (Path wrong : List.of(file, other)) {
            assertThatThrownBy(() -> History.check(wrong))
                    .isInstanceOf(UnreadableRunException.class)
                    .hasMessageStartingWith(wrong + ": ");
        }
        History.check(empty);
        History.check(root.resolve("none"));
        assertThat(root.resolve("none")).isEmptyDirectory();
    }

    @Test
    void aHistoryMayBeKeptInARepository() throws IOException {
        Files.createDirectory(root.resolve(".git"));
        History.check(root);
        History.keep(root, new SyntheticHistory().nights(1).runs().get(0));
        Files.writeString(root.resolve("README.md"), "");
        History.check(root);
        assertThat(History.read(root, "nightly").runs()).hasSize(1);
    }

    @Test
    void onlyTheRunsOfTheExperimentAreRead() throws IOException {
        new SyntheticHistory().nights(2).runs().forEach(run -> History.keep(root, run));
        Files.writeString(root.resolve("20260901-020000-weekly.4380a1d4.json"), "damaged");
        assertThat(History.experiments(root)).containsExactly("nightly", "weekly");
        assertThat(History.read(root, "nightly").runs()).hasSize(2);
        assertThat(History.read(root, "nightly").damaged()).isEmpty();
        assertThat(History.read(root, "weekly").damaged()).hasSize(1);
    }

    @Test
    void summaryIsOneLineOfAFewKilobytes() {
        String line = new SyntheticHistory().nights(1).runs().get(0).toJson();
        assertThat(line).hasLineCount(1).hasSizeLessThan(4_000);
    }

    private RunFolder run() {
        return new StoredRun(root, "x")
                .variant("base", 10, 10.5, 9.5)
                .variant("slow", 20, 21)
                .write();
    }

    @Test
    void summaryHasFiguresOfEachTrialWithThePrimaryFirst() {
        HistoryEntry summary = HistoryEntry.of(run());
        assertThat(summary.figures().keySet()).containsExactlyInAnyOrder("base", "slow");
        Map<String, List<Double>> base =
                Objects.requireNonNull(summary.figures().get("base"));
        assertThat(base.keySet().iterator().next()).isEqualTo("response p99");
        assertThat(base).containsEntry("response p99", List.of(10.0, 10.5, 9.5)).containsKey("acked/s");
        assertThat(summary.state()).isEqualTo("valid");
        assertThat(summary.startedAt()).isEqualTo("2026-11-20T06:00:00Z");
    }

    @Test
    void killedRunHasNoFigures() {
        HistoryEntry killed = HistoryEntry.of(
                new StoredRun(root, "x").variant("base", 10).unfinished().write());
        assertThat(killed.state()).isEqualTo("unfinished");
        assertThat(killed.figures()).isEmpty();
    }

    @Test
    void summaryInTheRunFolderIsReusedUntilTheRunResumes() throws IOException {
        RunFolder folder = run();
        folder.labels(new RunLabels(new TreeMap<>(Map.of("commit", "4f2a91c"))));
        HistoryEntry summary = HistoryEntry.write(folder);
        assertThat(summary.labels()).containsEntry("commit", "4f2a91c");
        assertThat(HistoryEntry.read(folder.summary())).isEqualTo(summary);
        // The summary is read, and not made again.
        Files.writeString(folder.summary(), summary.toJson().replace("4f2a91c", "changed"));
        assertThat(HistoryEntry.of(folder).labels()).containsEntry("commit", "changed");
        // A summary of another Weir can be made again.
        Files.writeString(folder.summary(), summary.toJson().replace("{\"version\":1", "{\"version\":2"));
        assertThat(HistoryEntry.of(folder)).isEqualTo(summary);
        Files.writeString(folder.summary(), summary.toJson().replace("4f2a91c", "changed"));
        Files.setLastModifiedTime(folder.summary(), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        assertThat(HistoryEntry.of(folder)).isEqualTo(summary);
    }

    @Test
    void historyExcludesSecretsAndDefaultSettings() {
        RunFolder folder = run();
        folder.machine(new Machine(
                Map.of(
                        "kernel", "6.1",
                        "generator.flags", "-Xmx1g",
                        "broker.jvm",
                                "-Xmx1g -javaagent:/opt/agent.jar=7071 -Djava.io.tmpdir=/home/eve/x -XX:ErrorFile=/home/eve/crash.log -XX:+UseG1GC"),
                Map.of(
                        "base",
                        List.of(
                                new Property("producer", "acks", "1", "1", "all", Source.YOURS),
                                new Property("producer", "linger.ms", "", "5", "5", Source.DEFAULT),
                                new Property("producer", "client.id", "", "weir-7", "", Source.WEIR),
                                new Property("producer", "sasl.jaas.config", "", "hunter2", "", Source.YOURS),
                                new Property("producer", "ssl.keystore.password", "", "hunter2", "", Source.YOURS),
                                new Property("producer", "ssl.keystore.key", "", "hunter2", "", Source.YOURS),
                                new Property("producer", "acme.token", "", "hunter2", "", Source.YOURS),
                                new Property("broker 1", "num.io.threads", "", "16", "8", Source.CLUSTER))),
                List.of()));
        HistoryEntry summary = HistoryEntry.of(folder);
        assertThat(summary.toJson())
                .doesNotContain("hunter2", "/home/eve", "linger.ms\",\"requested", "weir-7", "generator.flags");
        assertThat(summary.machine().facts())
                .containsEntry("broker.jvm", "-Xmx1g -javaagent:/opt/agent.jar=7071 -XX:+UseG1GC")
                .containsEntry("kernel", "6.1");
        assertThat(Objects.requireNonNull(summary.machine().properties().get("base")))
                .extracting(Property::name, Property::effective)
                .containsExactly(tuple("acks", "1"), tuple("num.io.threads", "16"));
    }
}
