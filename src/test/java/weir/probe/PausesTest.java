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
    void pausesOfAllCollectorsAddUpAndTheLongestIsTold() throws IOException {
        write(ByteOrder.LITTLE_ENDIAN);
        tree.look(pauses);
        pause("sun.gc.collector.0", 5_000_000);
        write(ByteOrder.LITTLE_ENDIAN);
        pauses.glance();
        pause("sun.gc.collector.1", 30_000_000);
        write(ByteOrder.LITTLE_ENDIAN);
        pauses.glance();
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
    void everyDamageToTheFileIsAnAbsenceAndNothingElse() throws IOException {
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
            // One that is under way already for somebody else's sake may serve as ours.
            System.gc();
        } while (collections() == before);
        Map<String, Double> read = tree.look(pauses);
        double paused = read.getOrDefault("gc.pause.ms", 0.0);
        assertThat(paused).isGreaterThan(0);
        assertThat(read.get("gc.pauses")).isGreaterThanOrEqualTo(1);
        assertThat(read.get("gc.pause.longest.ms")).isLessThanOrEqualTo(paused + 1e-6);
        // The JVM lets its threads go on before it counts how long they stood.
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

    /** Writes the file as HotSpot lays it out, with a text among the numbers. */
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
}
