package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Shields;
import weir.plan.ByteSize;
import weir.plan.Experiment;
import weir.plan.Limits;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** A broker and a generator with their own cores, and with less than the machine has. */
class ShieldIT {
    @TempDir
    Path root;

    @Test
    void brokersAndWorkersStayOnTheirCoresWithoutLeftoverGroups() throws Exception {
        Limits asked = new Limits(1, new ByteSize(1 << 30), new ByteSize(1 << 30), List.of(0, 1));
        List<String> missing = Shields.ofThisMachine().missing(asked, root);
        assumeTrue(missing.isEmpty(), () -> String.join("; ", missing));
        Path file = Files.writeString(root.resolve("shielded.yaml"), """
                name: shielded
                cluster: { heap: 256MiB, within: { cpu: 1, memory: 1GiB, io: 1GiB/s, cpus: [0] } }
                topics: { t: {} }
                load: { workload: deliver, rate: 500/s, within: { memory: 1GiB, cpus: [1] } }
                warmup: none
                measure: 2s
                """);
        Experiment experiment = PlanReader.read(file, new Overrides(List.of(), List.of(), "", "", List.of(), true));
        RunOptions options = new RunOptions(root.resolve("runs"), false, 0, 0, Path.of(""), "test", "weir run");
        RunResult result = new Runner(experiment, options, question -> false).run();

        assertThat(result.trials()).hasSize(1);
        assertThat(result.caveats())
                .as(result.toJson())
                .noneMatch(caveat -> caveat.is(CaveatType.named("shared-cores")));
        boolean first = Files.exists(Path.of("/sys/fs/cgroup/blkio"));
        assertThat(result.caveats().stream().anyMatch(caveat -> caveat.is(CaveatType.named("writeback-unlimited"))))
                .as("version 1 of the control groups does not hold what the kernel writes for others")
                .isEqualTo(first);
        RunFolder folder = RunFolder.open(Path.of(result.run()));
        assertThat(folder.machine().facts().get("broker.limits"))
                .contains("cpuset.cpus=0")
                .contains(Long.toString(1L << 30));
        assertThat(groups()).isEmpty();
    }

    private static List<Path> groups() throws IOException {
        try (Stream<Path> all =
                Files.find(Path.of("/sys/fs/cgroup"), 8, (path, attributes) -> attributes.isDirectory())) {
            return all.filter(path -> String.valueOf(path.getFileName()).matches("weir-(broker-1|worker)-.*"))
                    .toList();
        }
    }
}
