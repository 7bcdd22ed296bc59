package weir.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.host.PageCache;
import weir.host.PageCache.Residency;

/** Drops the log segments of a cluster's brokers from the page cache, and says what is left of them there. */
final class Caches {
    static final String SOURCE = "page-cache";
    static final String RESIDENT = "resident.percent";

    private static final double MIB = 1 << 20;

    private Caches() {}

    static void drop(Cluster cluster, Tally tally) {
        // Indexes are mapped by the brokers, so they stay; they are a thousandth of it.
        List<Path> segments = cluster.brokers().stream()
                .filter(broker -> broker.pid() > 0)
                .map(Broker::data)
                .flatMap(data -> PageCache.files(data, ".log").stream())
                // Topics of earlier trials, which brokers keep for another minute.
                .filter(segment -> !segment.toString().contains("-delete/"))
                .toList();
        Residency before = PageCache.residency(segments);
        PageCache.drop(segments);
        Residency after = PageCache.residency(segments);
        long second = (long) tally.second(System.nanoTime());
        tally.reading(second, SOURCE, "segments.mib", after.bytes() / MIB);
        tally.reading(second, SOURCE, RESIDENT, 100 * after.share());
        tally.mark(
                "note",
                String.format(
                        Locale.ROOT,
                        "of %.1f MiB of log segments %.1f MiB were in the page cache, and after dropping them %.1f MiB",
                        after.bytes() / MIB,
                        before.residentBytes() / MIB,
                        after.residentBytes() / MIB));
    }
}
