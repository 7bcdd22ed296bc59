package weir.feature.partitions;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.cli.terminal.HumanAmount;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchResult;
import weir.search.TriedNumbers;

/**
 * The number of partitions that sustains a rate T: {@code ⌈T / min(P, C)⌉}, calculated and then tried. One partition
 * accepts the rate P, and one consumer reads at the rate C.
 *
 * @param reading trials in which one consumer reads one partition; the first one is a warm-up
 * @param consuming C in operations per second; null if unknown
 * @param consumingLow lower end of the 95 % interval of C; {@code consumingHigh} is the upper end. Null if C is too
 *     high to limit the number
 * @param share the tried rate as a share of T; null if no rate was tried
 * @param partitions the smallest number that sustained T, or the calculated number if T could not be tried; null if
 *     unknown, or if the trials refute the calculation
 * @param low lower end of the 95 % interval of the number; {@code high} is the upper end. Null if unknown
 * @param reason why the number is not smaller, or why it is unknown
 */
public record PartitionsResult(
        String of,
        String target,
        double rate,
        List<String> limits,
        CapacityResult producing,
        List<PartitionTrial> reading,
        @Nullable Double consuming,
        @Nullable Double consumingLow,
        @Nullable Double consumingHigh,
        List<PartitionTrial> adding,
        List<PartitionTrial> carrying,
        @Nullable Double share,
        @Nullable Integer partitions,
        @Nullable Integer low,
        @Nullable Integer high,
        boolean calculated,
        String reason)
        implements SearchResult {
    /** The least share of N times the rate of one partition that counts as proportional throughput. */
    private static final double ADDS = 0.8;

    public PartitionsResult {
        limits = List.copyOf(limits);
        reading = List.copyOf(reading);
        adding = List.copyOf(adding);
        carrying = List.copyOf(carrying);
    }

    @Override
    public List<Attempt> tried() {
        return Stream.concat(
                        producing.tried().stream(),
                        Stream.of(reading, adding, carrying)
                                .flatMap(List::stream)
                                .map(PartitionTrial::tried))
                .toList();
    }

    /** Returns {@code carried / min(N · P, offered)}; null if a rate is unknown. */
    public @Nullable Double added(PartitionTrial many) {
        @Nullable Double one = adding.isEmpty() ? null : adding.get(0).carried();
        @Nullable Double carried = many.carried();
        if (one == null || carried == null || one == 0) {
            return null;
        }
        double sum = one * many.partitions();
        return carried / (many.offered() == null ? sum : Math.min(sum, many.offered()));
    }

    public @Nullable PartitionTrial most() {
        return adding.size() < 2 ? null : adding.get(adding.size() - 1);
    }

    /** Formats like {@code 8 partitions carry 6.1× the rate of one}, at full speed; empty if unknown. */
    String grown() {
        @Nullable PartitionTrial many = most();
        @Nullable Double one = many == null ? null : adding.get(0).carried();
        return many == null || many.carried() == null || one == null
                ? ""
                : HumanAmount.count(many.partitions(), "partition") + " carry "
                        + NumberFormat.times(many.carried() / one) + " the rate of one";
    }

    /** Formats like {@code 31 [29, 33]}, with a question mark for an unknown end. */
    String written() {
        return end(partitions) + " " + interval();
    }

    String interval() {
        return "[" + end(low) + ", " + end(high) + "]";
    }

    private static String end(@Nullable Integer number) {
        return number == null ? "?" : NumberFormat.count((long) number);
    }

    /** True if {@link #added} of the most partitions is at least 0.8 or unknown. */
    public boolean adds() {
        @Nullable PartitionTrial many = most();
        @Nullable Double added = many == null ? null : added(many);
        return added == null || added >= ADDS;
    }

    /**
     * A trial of a search for partitions.
     *
     * @param offered operations per second; null at full speed
     * @param carried records per second that were acknowledged, or read in a trial that only reads; null without any
     * @param tried the rate and its result; at full speed, the achieved rate
     */
    public record PartitionTrial(
            int partitions,
            @Nullable Double offered,
            @Nullable Double carried,
            Attempt tried) implements TriedNumbers.Tried {
        @Override
        public int number() {
            return partitions;
        }
    }
}
