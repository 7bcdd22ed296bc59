package weir.feature.readers;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.plan.Variant;
import weir.results.RunResult.ModelResult;
import weir.results.value.NumberFormat;

/**
 * The readers of a variant that work on records. Figures are medians over the trials.
 *
 * @param ceiling the records per second that all readers can work on
 * @param received records per second
 * @param overlaps records whose work began before the work on an earlier record of their key ended, in all trials
 */
record ReadersResult(
        String variant,
        int trials,
        double ceiling,
        @Nullable Double received,
        long overlaps,
        List<Reader> readers) implements ModelResult {
    /** From this share of time on, the work is the limit of a reader. */
    private static final double BUSY = 95;

    /**
     * One reader, from its first to its last second in the measured phase. Shares are in percent.
     *
     * @param rate records per second
     * @param e2e the mean e2e latency in milliseconds; null in results of older versions
     * @param e2eMax the longest one
     * @param lag the highest lag; null in a share group, whose members share each partition
     */
    record Reader(
            String name,
            @Nullable Double rate,
            @Nullable Double e2e,
            @Nullable Double e2eMax,
            @Nullable Double lag,
            @Nullable Double working,
            @Nullable Double fetching,
            @Nullable Double committing) {
        @Nullable Double waiting() {
            return working == null || fetching == null || committing == null
                    ? null
                    : Double.valueOf(Math.max(0, 100 - working - fetching - committing));
        }
    }

    ReadersResult {
        readers = List.copyOf(readers);
    }

    boolean busy() {
        return !readers.isEmpty()
                && readers.stream().allMatch(reader -> reader.working() != null && reader.working() >= BUSY);
    }

    @Override
    public boolean found() {
        return true;
    }

    @Override
    public List<String> sentences() {
        String of = variant.equals(Variant.ONLY) ? "" : NumberFormat.quoted(variant) + ": ";
        return List.of(of + "the readers can work on at most " + NumberFormat.rate(ceiling)
                + (received == null
                        ? ""
                        : ", and received " + NumberFormat.rate(received) + " ("
                                + NumberFormat.percent(received / ceiling) + ")")
                + (busy() ? "; their work is the limit" : "")
                + (overlaps > 0
                        ? "; " + NumberFormat.count(overlaps)
                                + " records were in work beside an earlier record of their key"
                        : ""));
    }
}
