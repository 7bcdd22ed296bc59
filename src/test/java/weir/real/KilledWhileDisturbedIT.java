package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Journal;

/** Runs that limit and stress the machine, each killed at a random moment, and the machine afterwards. */
@Tag("alone")
class KilledWhileDisturbedIT {
    private static final int KILLS = Integer.getInteger("kills", 3);
    private static final int EARLIEST_MILLIS = 3_000;
    private static final int LATEST_MILLIS = 14_000;
    private static final String SHAKEN = """
            name: shaken
            cluster: { heap: 128MiB, controllers: 1, within: { memory: 1GiB, cpus: [0] } }
            bridge: { gateway: { instances: 2, within: { memory: 512MiB } }, balancer: [haproxy, nginx] }
            load:
              engine: { send: http, receive: client }
              connections: 4
              rate: 100/s
              value: { size: 1KiB }
              within: { memory: 1GiB }
            before: [drop caches]
            warmup: none
            measure: 60s
            during:
              neighbour:
                at: 1s
                stress: { memory: 256MiB, threads: 2, disk: 64MiB }
                within: { memory: 512MiB, io: 50MiB/s, cpu: 0.5 }
              other: { at: 2s, stress: { threads: 1 } }
              slow: { at: 2s, disk: { broker: 1, io: 20MiB/s } }
              gone: { at: 2s, for: 2s, pause: gateway 2 }
              shell: { at: 1s, run: "sleep 4711 & sleep 4711" }
            """;

    @TempDir
    private Path folder;

    @Test
    void machineIsRestoredAfterTheRun() throws Exception {
        Map<String, String> before = machine();
        Door door = new Door(folder.toRealPath());
        String plan = door.file("shaken.yaml", SHAKEN).toString();
        SplittableRandom random = new SplittableRandom();
        for (int round = 0; round < KILLS; round++) {
            int moment = random.nextInt(EARLIEST_MILLIS, LATEST_MILLIS);
            Door.Running victim = door.start("run", "--yes", plan);
            Thread.sleep(moment);
            assertThat(victim.process().isAlive())
                    .as(() -> "after " + moment + " ms")
                    .isTrue();
            victim.process().destroyForcibly().waitFor();
            awaitNobody(door, moment);
            Door.Ended cleaned = door.weir("doctor", "--clean");
            assertThat(cleaned.exit()).as(cleaned.out() + cleaned.err()).isZero();
            assertThat(machine()).as("after " + moment + " ms").isEqualTo(before);
            assertThat(Journal.leftovers(door.state().resolve("weir"))).isEmpty();
            assertThat(named(door.folder(), "data-")).as("data of brokers").isEmpty();
            assertThat(named(door.folder(), "stress-"))
                    .as("files of the stress")
                    .noneMatch(Files::isDirectory);
        }
    }

    /** The processes end by themselves; a stressed kernel may take seconds for this. */
    private static void awaitNobody(Door door, int moment) throws InterruptedException {
        long deadline = System.nanoTime() + 20_000_000_000L;
        List<String> left = processes(door);
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(50);
            left = processes(door);
        }
        assertThat(left).as("after " + moment + " ms").isEmpty();
    }

    private static List<String> processes(Door door) {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(door.folder().toString())
                        || line.contains("stress-ng")
                        || line.endsWith("sleep 4711"))
                .toList();
    }

    /** Returns everything that a run changes on the machine, or might change. */
    private static Map<String, String> machine() throws IOException {
        Map<String, String> machine = new TreeMap<>();
        machine.put("mounts", Files.readString(Path.of("/proc/self/mounts")));
        for (String setting : List.of("swappiness", "dirty_ratio", "dirty_background_ratio", "overcommit_memory")) {
            machine.put(setting, Files.readString(Path.of("/proc/sys/vm/" + setting)));
        }
        for (Path limits : named(Path.of("/sys/fs/cgroup/blkio"), "blkio.throttle.write_bps_device")) {
            machine.put(limits.toString(), Files.readString(limits));
        }
        try (Stream<Path> loops = Files.list(Path.of("/sys/block"))) {
            machine.put(
                    "loops",
                    loops.filter(device -> Files.isDirectory(device.resolve("loop")))
                            .sorted()
                            .toList()
                            .toString());
        }
        machine.put("groups", named(Path.of("/sys/fs/cgroup"), "weir-").toString());
        return machine;
    }

    private static List<Path> named(Path folder, String begin) throws IOException {
        try (Stream<Path> all = Files.find(
                folder,
                12,
                (path, attributes) -> String.valueOf(path.getFileName()).startsWith(begin))) {
            return all.sorted().toList();
        }
    }
}
