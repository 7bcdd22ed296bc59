package weir.load.read;

import java.util.ArrayList;
import java.util.List;

/**
 * The offsets that a reader stepped over. The oldest remaining offset at the end shows which of them expired; the
 * others are control records or were compacted away.
 */
public final class OffsetGaps {
    private static final int MOST = 100_000;

    private final List<Gap> gaps = new ArrayList<>();

    record Gap(int partition, long from, long to) {}

    synchronized void add(int partition, long from, long to) {
        if (gaps.size() < MOST) {
            gaps.add(new Gap(partition, from, to));
        }
    }

    public synchronized long expired(int partition, long beginning) {
        return gaps.stream()
                .filter(gap -> gap.partition == partition)
                .mapToLong(gap -> Math.max(0, Math.min(gap.to, beginning) - gap.from))
                .sum();
    }
}
