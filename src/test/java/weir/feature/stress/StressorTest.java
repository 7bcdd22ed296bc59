package weir.feature.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.stress.Stressor.StressSpec;
import weir.host.Children;
import weir.host.Journal;
import weir.host.LocalHost;
import weir.host.MachineResources;
import weir.plan.ByteSize;
import weir.plan.DisturbanceSpec;
import weir.plan.DisturbanceSpec.Amount;
import weir.plan.Limits;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Ratio;

class StressorTest {
    private static final long GIB = 1L << 30;
    private static final long MIB = 1L << 20;

    @TempDir
    Path root;

    private static StressSpec stress(Amount memory, long reserve, int threads, long disk, Limits within) {
        return new StressSpec(
                Duration.ZERO,
                Duration.ofSeconds(9),
                memory,
                new ByteSize(reserve),
                threads,
                new ByteSize(disk),
                within,
                new PlacedSpec.Here());
    }

    private static Amount bytes(long size) {
        return new Amount.Bytes(new ByteSize(size));
    }

    @Test
    void everyKeyOfAStressIsRead() {
        DisturbanceSpec read = Plans.only("""
                        during:
                          x: { at: 1s, for: 9s, stress: { memory: 98% of free, threads: 4, disk: 10GiB }, within: { memory: 2GiB } }
                        """).during().getOrDefault("x", stress(bytes(0), 0, 0, 0, Limits.NONE));
        assertThat(read)
                .isEqualTo(new StressSpec(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(9),
                        new Amount.OfFree(new Ratio(0.98)),
                        new ByteSize(GIB),
                        4,
                        new ByteSize(10 * GIB),
                        new Limits(0, new ByteSize(2 * GIB), new ByteSize(0), List.of()),
                        new PlacedSpec.Here()));
    }

    @Test
    void shareOfFreeMemoryLeavesTheReserve() {
        Amount nearlyAll = new Amount.OfFree(new Ratio(0.98));
        assertThat(Stressor.demand(stress(nearlyAll, GIB, 4, 0, Limits.NONE), 100 * GIB)
                        .memory())
                .isEqualTo(98 * GIB);
        assertThat(Stressor.demand(stress(nearlyAll, 5 * GIB, 4, 0, Limits.NONE), 100 * GIB)
                        .memory())
                .isEqualTo(95 * GIB);
        assertThat(Stressor.demand(stress(nearlyAll, 0, 4, 0, Limits.NONE), 100 * GIB)
                        .memory())
                .isEqualTo(98 * GIB);
        assertThat(Stressor.demand(stress(nearlyAll, 5 * GIB, 4, 0, Limits.NONE), GIB)
                        .memory())
                .isZero();
    }

    @Test
    void stressorStaysWithinItsLimits() {
        Limits two = new Limits(0.5, new ByteSize(2 * GIB), new ByteSize(0), List.of());
        Stressor.Demand demand = Stressor.demand(stress(bytes(8 * GIB), GIB, 4, 0, two), 100 * GIB);
        assertThat(demand.memory()).isEqualTo(8 * GIB);
        assertThat(demand.heldMemory()).isEqualTo(2 * GIB);
        assertThat(demand.cores(2)).isZero();
        assertThat(Stressor.demand(stress(bytes(0), GIB, 4, 0, two), GIB).cores(2))
                .isEqualTo(0.5);
        assertThat(Stressor.demand(stress(bytes(0), GIB, 4, 0, Limits.NONE), GIB)
                        .cores(2))
                .isEqualTo(2);
    }

    @Test
    void descriptionListsTheRequestedStress() {
        Limits limits = new Limits(0.5, new ByteSize(2 * GIB), new ByteSize(50 * MIB), List.of(0));
        assertThat(Stressor.words(stress(new Amount.OfFree(new Ratio(0.98)), GIB, 4, 10 * GIB, limits)))
                .isEqualTo(
                        "4 threads write to 98% of the free memory, 4 threads write 10.0 GiB to the disk again and again,"
                                + " limited to 0.5 cores, 2.0 GiB of memory, 50 MiB/s of disk traffic, CPUs [0]");
        assertThat(Stressor.words(stress(bytes(0), GIB, 1, 0, Limits.NONE))).isEqualTo("1 thread computes");
    }

    @Test
    void stressAboveTheMachineResourcesIsReported() {
        assertThat(Stressor.missing(stress(bytes(1L << 50), GIB, 1, 1L << 60, Limits.NONE), here(), root))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("stress.memory: must be at most ")
                        .contains("found '1048576.0 GiB'")
                        .contains("stress.reserve"))
                .anySatisfy(line -> assertThat(line).startsWith("stress.disk: ").contains("cluster.data"));
    }

    /** The known truth: stress-ng uses 96 MiB and writes its files to the right folder. Afterwards nothing stays. */
    @Test
    void stressorTakesItsResourcesAndCleansUp() throws Exception {
        StressSpec asked = stress(bytes(96 * MIB), 0, 2, 8 * MIB, Limits.NONE);
        List<String> missing = Stressor.missing(asked, here(), root);
        assertThat(missing).as("apt-get install stress-ng").isEmpty();
        Path state = root.resolve("state");
        List<ProcessHandle> all;
        try (Journal journal = Journal.open(state);
                Children children = Children.open(journal)) {
            Stressor stressor = Stressor.start(
                    new LocalHost(children), "tried", demand(asked), asked.length(), root, root.resolve("log"));
            try {
                long deadline = System.nanoTime() + 10_000_000_000L;
                while (held(stressor) < 96 * MIB && System.nanoTime() < deadline) {
                    Thread.sleep(20);
                }
                assertThat(held(stressor)).isBetween(96 * MIB, 140 * MIB);
                all = tree(stressor);
                assertThat(all).hasSizeGreaterThanOrEqualTo(4);
                assertThat(Journal.leftovers(state)).isEmpty();
            } finally {
                stressor.close();
            }
            assertThat(all).noneMatch(ProcessHandle::isAlive);
            try (var files = Files.list(root)) {
                assertThat(files.map(file -> String.valueOf(file.getFileName())))
                        .containsExactlyInAnyOrder("state", "log");
            }
        }
        assertThat(state.resolve("journal")).isEmptyDirectory();
    }

    @Test
    void earlyEndOfAStressorIsReported() throws IOException {
        StressSpec asked = stress(bytes(0), 0, 1, 0, Limits.NONE);
        List<String> missing = Stressor.missing(asked, here(), root);
        assertThat(missing).as("apt-get install stress-ng").isEmpty();
        try (Journal journal = Journal.open(root.resolve("state"));
                Children children = Children.open(journal)) {
            Stressor stressor = Stressor.start(
                    new LocalHost(children), "tried", demand(asked), asked.length(), root, root.resolve("log"));
            ProcessHandle process = ProcessHandle.of(stressor.pid()).orElseThrow();
            process.destroyForcibly();
            process.onExit().join();
            assertThatThrownBy(stressor::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("stress-ng was killed (signal 9; out of memory?) too early");
        }
    }

    private MachineResources here() {
        return MachineResources.here(root);
    }

    private Stressor.Demand demand(StressSpec asked) {
        return Stressor.demand(asked, here().freeMemory());
    }

    private static List<ProcessHandle> tree(Stressor stressor) {
        return ProcessHandle.of(stressor.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .toList();
    }

    private static long held(Stressor stressor) {
        return tree(stressor).stream()
                        .mapToLong(process -> {
                            try (var lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
                                return lines.filter(line -> line.startsWith("RssAnon:"))
                                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                                        .sum();
                            } catch (IOException | java.io.UncheckedIOException ended) {
                                return 0;
                            }
                        })
                        .sum()
                << 10;
    }
}
