package weir.feature.trend;

import static org.assertj.core.api.Assertions.assertThat;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;
import weir.results.Machine;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.StoredRun;

class HistoryEntryTest {
    @TempDir
    private Path root;

    private RunFolder run() {
        return new StoredRun(root, "x")
                .variant("base", 10, 10.5, 9.5)
                .variant("slow", 20, 21)
                .write();
    }

    @Test
    void theFiguresAreThoseOfEachTrialThePrimaryOneFirst() {
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
    void aRunThatWasKilledHasNoFigures() {
        HistoryEntry killed = HistoryEntry.of(
                new StoredRun(root, "x").variant("base", 10).unfinished().write());
        assertThat(killed.state()).isEqualTo("unfinished");
        assertThat(killed.figures()).isEmpty();
    }

    @Test
    void whatItLeavesInTheFolderIsReadAgainUntilTheRunGoesOn() throws IOException {
        RunFolder folder = run();
        folder.labels(new RunLabels(new TreeMap<>(Map.of("commit", "4f2a91c"))));
        HistoryEntry summary = HistoryEntry.write(folder);
        assertThat(summary.labels()).containsEntry("commit", "4f2a91c");
        assertThat(HistoryEntry.read(folder.summary())).isEqualTo(summary);
        // Read, and not made again.
        Files.writeString(folder.summary(), summary.toJson().replace("4f2a91c", "changed"));
        assertThat(HistoryEntry.of(folder).labels()).containsEntry("commit", "changed");
        // Of another Weir: everything in it can be made again.
        Files.writeString(folder.summary(), summary.toJson().replace("{\"version\":1", "{\"version\":2"));
        assertThat(HistoryEntry.of(folder)).isEqualTo(summary);
        Files.writeString(folder.summary(), summary.toJson().replace("4f2a91c", "changed"));
        Files.setLastModifiedTime(folder.summary(), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        assertThat(HistoryEntry.of(folder)).isEqualTo(summary);
    }

    @Test
    void secretsAndWhatNobodyChoseAreNotInIt() {
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
