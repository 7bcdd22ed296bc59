package weir.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.host.PageCache;
import weir.host.PageCache.Residency;
import weir.judge.caveat.MachineCaveats;
import weir.results.value.NumberFormat;

/** The share of the brokers' log segments that is in the page cache. */
public final class PageCacheShare {
    private static final double MIB = 1 << 20;

    private PageCacheShare() {}

    /** Writes dirty pages now, because the kernel would write them half a minute later, during another measurement. */
    static void write(Cluster cluster, TrialRecorder recorder, LongSupplier clock) {
        long startNanos = clock.getAsLong();
        PageCache.write(segments(cluster).toList());
        double seconds = (clock.getAsLong() - startNanos) / 1e9;
        recorder.mark("note", "flushed written data to the disk within " + NumberFormat.seconds(seconds));
    }

    // Brokers map index files, so their pages stay; they are a thousandth of the data.
    private static Stream<Path> segments(Cluster cluster) {
        return cluster.brokers().stream()
                .filter(Broker::here)
                .map(Broker::data)
                .flatMap(data -> PageCache.files(data, ".log").stream());
    }

    static void drop(Cluster cluster, TrialRecorder recorder) {
        // Brokers keep topics of earlier trials for another minute.
        List<Path> segments = segments(cluster)
                .filter(segment -> !segment.toString().contains("-delete/"))
                .toList();
        Residency before = PageCache.residency(segments);
        PageCache.drop(segments);
        Residency after = PageCache.residency(segments);
        recorder.reading(MachineCaveats.PAGE_CACHE, "segments.mib", after.bytes() / MIB);
        recorder.reading(MachineCaveats.PAGE_CACHE, MachineCaveats.RESIDENT, 100 * after.share());
        recorder.mark(
                "note",
                String.format(
                        Locale.ROOT,
                        "of %.1f MiB of log segments %.1f MiB were in the page cache, and after dropping them %.1f MiB",
                        after.bytes() / MIB,
                        before.residentBytes() / MIB,
                        after.residentBytes() / MIB));
    }
}
