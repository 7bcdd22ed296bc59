package weir.probe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.host.kernel.KernelFiles;
import weir.io.Io;
import weir.measure.ProbeMetric;
import weir.measure.ProbeMetric.MetricChart;

/**
 * The pauses of a JVM for garbage collection or another safepoint. A pause counts in the second of its end. The longest
 * pause is the most pause time between two samples, 0.1 s apart. So several pauses between two samples count as one.
 */
final class Pauses implements Probe {
    private static final int COLLECTORS = 4;

    private static final MetricChart LONGEST = new MetricChart(
            "Longest pause", "ms", "The longest stop of a JVM in each second: garbage collection or safepoint.", true);
    private static final MetricChart COLLECTING =
            new MetricChart("Garbage collection", "ms", "Time in which the collector stopped a JVM.", false);
    private static final String LONGEST_GC = "gc.pause.longest.ms";
    private static final String LONGEST_SAFEPOINT = "safepoint.longest.ms";
    private static final String GC = "gc.pause.ms";

    private final KernelFiles files;
    private final long pid;
    private @Nullable PerfCounters counters;
    private @Nullable Totals last;
    private double longestGc;
    private double longestSafepoint;

    Pauses(KernelFiles files, long pid) {
        this.files = files;
        this.pid = pid;
    }

    private record Totals(double gcs, double gcMillis, double safepoints, double safepointMillis, double reachMillis) {
        static Totals of(PerfCounters counters) throws IOException {
            double ticksPerMilli = counters.value("sun.os.hrt.frequency") / 1e3;
            double gcs = 0;
            double gcTicks = 0;
            for (int collector = 0; collector < COLLECTORS; collector++) {
                String name = "sun.gc.collector." + collector;
                if (counters.has(name + ".time")) {
                    gcs += counters.value(name + ".invocations");
                    gcTicks += counters.value(name + ".time");
                }
            }
            return new Totals(
                    gcs,
                    gcTicks / ticksPerMilli,
                    counters.value("sun.rt.safepoints"),
                    counters.value("sun.rt.safepointTime") / ticksPerMilli,
                    counters.value("sun.rt.safepointSyncTime") / ticksPerMilli);
        }

        /** The total pause time in milliseconds, including the time to reach a safepoint. */
        double stoppedMillis() {
            return safepointMillis + reachMillis;
        }
    }

    @Override
    public List<ProbeMetric> drawn() {
        return List.of(
                new ProbeMetric(LONGEST_GC, "", LONGEST),
                new ProbeMetric(LONGEST_SAFEPOINT, "", LONGEST),
                new ProbeMetric(GC, "", COLLECTING));
    }

    @Override
    public void sample(Readings into) {
        into.family("gc.*, safepoint.*", () -> {
            // A file of the same name may be that of a new JVM, or have new counters.
            close();
            PerfCounters fresh = new PerfCounters(path());
            counters = fresh;
            Totals now = note(Totals.of(fresh));
            into.count("gc.pauses", now.gcs);
            into.count(GC, now.gcMillis);
            into.level(LONGEST_GC, longestGc);
            into.count("safepoints", now.safepoints);
            into.count("safepoint.ms", now.safepointMillis);
            into.count("safepoint.reach.ms", now.reachMillis);
            into.level(LONGEST_SAFEPOINT, longestSafepoint);
            longestGc = 0;
            longestSafepoint = 0;
        });
    }

    @Override
    public void sampleFast() {
        PerfCounters open = counters;
        if (open != null) {
            try {
                open.refresh();
                note(Totals.of(open));
            } catch (IOException e) {
                // The next sample meets the same fault and reports it.
                close();
            }
        }
    }

    private Totals note(Totals now) {
        Totals before = last;
        if (before != null) {
            longestGc = Math.max(longestGc, now.gcMillis - before.gcMillis);
            longestSafepoint = Math.max(longestSafepoint, now.stoppedMillis() - before.stoppedMillis());
        }
        last = now;
        return now;
    }

    /** The path of the counters' file. HotSpot ignores java.io.tmpdir and writes to a folder per user in /tmp. */
    private Path path() throws IOException {
        try (DirectoryStream<Path> users = Files.newDirectoryStream(files.at("/tmp"), "hsperfdata_*")) {
            for (Path user : users) {
                Path path = user.resolve(Long.toString(pid));
                if (Files.exists(path)) {
                    return path;
                }
            }
        }
        throw new IOException("process " + pid + " is not a HotSpot JVM, or runs with -XX:-UsePerfData or"
                + " -XX:+PerfDisableSharedMem, or belongs to another user");
    }

    @Override
    public void close() {
        PerfCounters open = counters;
        counters = null;
        if (open != null) {
            open.close();
        }
    }

    /**
     * The counters of a HotSpot JVM in a file for other processes such as jstat. Reading costs the JVM nothing.
     *
     * <p>Format 2 (HotSpot's perfMemory.hpp): a prologue of 32 bytes, then entries with a name and a value. The
     * prologue contains the byte order.
     */
    static final class PerfCounters implements AutoCloseable {
        private static final int MAGIC = 0xcafec0c0;
        private static final int PROLOGUE = 32;
        private static final int ENTRY = 20;

        /** A size limit, far above the file of a JVM (32 KiB by default). */
        private static final int LARGEST = 1024 * 1024;

        private final FileChannel file;
        private final ByteBuffer bytes;
        private final Map<String, Integer> offsets;

        PerfCounters(Path path) throws IOException {
            file = FileChannel.open(path, StandardOpenOption.READ);
            try {
                long size = file.size();
                if (size < PROLOGUE || size > LARGEST) {
                    throw new IOException("the JVM's counter file has " + size + " bytes");
                }
                bytes = ByteBuffer.allocateDirect((int) size);
                refresh();
                check();
                offsets = offsets();
            } catch (IOException e) {
                file.close();
                throw e;
            }
        }

        void refresh() throws IOException {
            bytes.clear();
            while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {}
            if (bytes.hasRemaining()) {
                throw new IOException("the JVM's counter file was cut short");
            }
            bytes.flip();
        }

        boolean has(String name) {
            return offsets.containsKey(name);
        }

        long value(String name) throws IOException {
            Integer offset = offsets.get(name);
            if (offset == null) {
                throw new IOException("this JVM does not count '" + name + "'");
            }
            return bytes.getLong(offset);
        }

        private void check() throws IOException {
            if (bytes.getInt(0) != MAGIC) {
                throw new IOException("the JVM's counter file does not begin with cafec0c0");
            }
            bytes.order(bytes.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            if (bytes.get(5) != 2) {
                throw new IOException("the JVM's counter file has format " + bytes.get(5) + "; only 2 is supported");
            }
            if (bytes.get(7) == 0) {
                throw new IOException("the JVM is still starting");
            }
        }

        private Map<String, Integer> offsets() throws IOException {
            Map<String, Integer> found = new HashMap<>();
            int at = bytes.getInt(24);
            for (int left = bytes.getInt(28); left > 0; left--) {
                int length = inside(at, ENTRY) ? bytes.getInt(at) : 0;
                int name = length < ENTRY ? 0 : bytes.getInt(at + 4);
                if (!inside(at, length) || name < ENTRY || name >= length) {
                    throw new IOException("the JVM's counter file is damaged at byte " + at);
                }
                int value = at + bytes.getInt(at + 16);
                boolean isLong = bytes.get(at + 12) == 'J' && bytes.getInt(at + 8) == 0;
                if (isLong && inside(value, Long.BYTES)) {
                    found.put(text(at + name, at + length), value);
                }
                at += length;
            }
            return found;
        }

        private boolean inside(int at, int length) {
            return at >= 0 && length >= 0 && at <= bytes.limit() - length;
        }

        private String text(int from, int to) {
            int end = from;
            while (end < to && bytes.get(end) != 0) {
                end++;
            }
            byte[] name = new byte[end - from];
            bytes.get(from, name);
            return new String(name, StandardCharsets.US_ASCII);
        }

        @Override
        public void close() {
            Io.attempt("closing a JVM's counter file", file::close);
        }
    }
}
