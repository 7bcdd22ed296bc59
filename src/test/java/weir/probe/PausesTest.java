package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.kernel.KernelFiles;
import weir.probe.OwnJvm.AllocatedBytes;

class PausesTest {
    private final Tree tree;
    private final Path file;
    private final Map<String, Long> counters = new LinkedHashMap<>();
    private Pauses pauses;

    PausesTest(@TempDir Path root) throws IOException {
        tree = new Tree(root);
        file = root.resolve("tmp/hsperfdata_kafka/17");
        Files.createDirectories(file.getParent());
        pauses = new Pauses(tree.files(), 17);
        counters.put("sun.os.hrt.frequency", 1_000_000_000L);
        for (String name : new String[] {"sun.gc.collector.0", "sun.gc.collector.1"}) {
            counters.put(name + ".invocations", 0L);
            counters.put(name + ".time", 0L);
        }
        counters.put("sun.rt.safepoints", 0L);
        counters.put("sun.rt.safepointTime", 0L);
        counters.put("sun.rt.safepointSyncTime", 0L);
    }

    @AfterEach
    void close() {
        pauses.close();
    }

    @Test
    void gcPausesAreSummedAndTheLongestIsReported() throws IOException {
        write(ByteOrder.LITTLE_ENDIAN);
        tree.look(pauses);
        pause("sun.gc.collector.0", 5_000_000);
        write(ByteOrder.LITTLE_ENDIAN);
        pauses.sampleFast();
        pause("sun.gc.collector.1", 30_000_000);
        write(ByteOrder.LITTLE_ENDIAN);
        pauses.sampleFast();
        pause("sun.gc.collector.0", 7_000_000);
        write(ByteOrder.LITTLE_ENDIAN);
        assertThat(tree.look(pauses))
                .containsEntry("gc.pauses", 3.0)
                .containsEntry("gc.pause.ms", 42.0)
                .containsKeys(Tree.drawn(pauses))
                .containsEntry("gc.pause.longest.ms", 30.0)
                .containsEntry("safepoints", 3.0)
                .containsEntry("safepoint.longest.ms", 30.5)
                .containsEntry("safepoint.reach.ms", 1.5);
    }

    @Test
    void aSecondWithoutPausesHasNone() throws IOException {
        pause("sun.gc.collector.0", 5_000_000);
        write(ByteOrder.BIG_ENDIAN);
        tree.look(pauses);
        assertThat(tree.look(pauses)).containsEntry("gc.pauses", 0.0).containsEntry("gc.pause.longest.ms", 0.0);
    }

    @Test
    void aJvmWithoutTheFileIsAbsent() {
        tree.look(pauses);
        assertThat(tree.absent()).singleElement().asString().contains("gc.*, safepoint.*", "-XX:+PerfDisableSharedMem");
    }

    @Test
    void damagedPerformanceFileIsAnAbsence() throws IOException {
        write(ByteOrder.LITTLE_ENDIAN);
        byte[] good = Files.readAllBytes(file);
        int used = good.length;
        while (good[used - 1] == 0) {
            used--;
        }
        for (int at = 0; at < used; at++) {
            byte[] damaged = good.clone();
            damaged[at] = (byte) ~damaged[at];
            Files.write(file, damaged);
            tree.look(pauses);
        }
        for (int length = 0; length < used - Long.BYTES; length += 7) {
            Files.write(file, java.util.Arrays.copyOf(good, length));
            assertThat(tree.look(pauses)).isEmpty();
            assertThat(tree.absent()).isNotEmpty();
        }
        Files.write(file, good);
        tree.look(pauses);
        assertThat(tree.absent()).isEmpty();
    }

    @Test
    void ourOwnCollectionsAreCounted() throws InterruptedException {
        pauses = new Pauses(KernelFiles.LIVE, ProcessHandle.current().pid());
        tree.look(pauses);
        long before = collections();
        do {
            // A collection that another test has started may count, too.
            System.gc();
        } while (collections() == before);
        Map<String, Double> read = tree.look(pauses);
        double paused = read.getOrDefault("gc.pause.ms", 0.0);
        assertThat(paused).isGreaterThan(0);
        assertThat(read.get("gc.pauses")).isGreaterThanOrEqualTo(1);
        assertThat(read.get("gc.pause.longest.ms")).isLessThanOrEqualTo(paused + 1e-6);
        // The JVM resumes its threads before it counts the length of the pause.
        double stood = read.getOrDefault("safepoint.ms", 0.0);
        for (int looks = 0; stood < paused && looks < 500; looks++) {
            Thread.sleep(10);
            Map<String, Double> later = tree.look(pauses);
            paused += later.getOrDefault("gc.pause.ms", 0.0);
            stood += later.getOrDefault("safepoint.ms", 0.0);
        }
        assertThat(stood).isGreaterThanOrEqualTo(paused);
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private void pause(String collector, long nanos) {
        counters.merge(collector + ".invocations", 1L, Long::sum);
        counters.merge(collector + ".time", nanos, Long::sum);
        counters.merge("sun.rt.safepoints", 1L, Long::sum);
        counters.merge("sun.rt.safepointTime", nanos, Long::sum);
        counters.merge("sun.rt.safepointSyncTime", 500_000L, Long::sum);
    }

    /** Writes the file in HotSpot's layout, with a text among the numbers. */
    private void write(ByteOrder order) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(4096);
        bytes.putInt(0xcafec0c0);
        bytes.order(order);
        bytes.put((byte) (order == ByteOrder.LITTLE_ENDIAN ? 1 : 0));
        bytes.put((byte) 2).put((byte) 0).put((byte) 1);
        bytes.putInt(4096).putInt(0).putLong(1).putInt(32).putInt(counters.size() + 1);
        entry(bytes, "java.property.java.version", 'B', 8, 0);
        counters.forEach((name, value) -> entry(bytes, name, 'J', 0, value));
        try (var channel = Files.newByteChannel(
                file, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.WRITE)) {
            channel.write(bytes.clear());
        }
    }

    private static void entry(ByteBuffer bytes, String name, char type, int vector, long value) {
        int start = bytes.position();
        byte[] text = (name + "\0").getBytes(StandardCharsets.US_ASCII);
        int data = (20 + text.length + 7) / 8 * 8;
        bytes.putInt(data + 8).putInt(20).putInt(vector);
        bytes.put((byte) type).put((byte) 0).put((byte) 4).put((byte) 3).putInt(data);
        bytes.put(text).position(start + data).putLong(value);
    }

    @Test
    void theCostOfAllProbesIsThatOfTheThreadThatAsksThem(@TempDir Path root) {
        Tree tree = new Tree(root);
        OwnJvm own = new OwnJvm();
        tree.look(own);
        long begin = System.nanoTime();
        double spun = 0;
        while (System.nanoTime() - begin < 50_000_000) {
            spun += Math.sqrt(spun + 1);
        }
        assertThat(spun).isPositive();
        // On the clock of the test a second has passed.
        assertThat(tree.look(own))
                .containsKeys(Tree.drawn(own))
                .hasEntrySatisfying(
                        "probes.cpu.cores", cores -> assertThat(cores).isBetween(0.001, 0.2));
    }

    @Test
    void allocationsOfEndedThreadsStayInTheTotal() {
        AllocatedBytes all = new AllocatedBytes();
        assertThat(all.total(new long[] {1, 2}, new long[] {100, 40})).isEqualTo(140);
        assertThat(all.total(new long[] {1, 3}, new long[] {150, 7})).isEqualTo(197);
        // The second ended between the two questions.
        assertThat(all.total(new long[] {1, 3}, new long[] {151, -1})).isEqualTo(198);
    }

    @Test
    void jvmReportsAllocatedBytesPerSecond(@TempDir Path root) {
        Tree tree = new Tree(root);
        OwnJvm own = new OwnJvm();
        tree.look(own);
        byte[] kept = new byte[0];
        for (int i = 0; i < 64; i++) {
            kept = new byte[1 << 20];
        }
        assertThat(kept).hasSize(1 << 20);
        // On the clock of the test a second has passed. Other tests allocate in this JVM, too.
        assertThat(tree.look(own).get(AllocatedBytes.METRIC)).isGreaterThanOrEqualTo(64.0 * (1 << 20));
    }
}
