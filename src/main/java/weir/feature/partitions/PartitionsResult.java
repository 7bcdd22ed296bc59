package weir.feature.partitions;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchResult;

/**
 * The number of partitions that carries a rate: the rate over what one partition takes, or over what one consumer reads of
 * it where that is less, rounded up, and tried.
 *
 * @param reading one consumer on one partition; the first one warms it and does not count
 * @param consuming operations per second that one consumer reads of one partition; null while that is not known
 * @param consumingLow the lower end of its 95 % interval, {@code consumingHigh} the upper one; null where it reads so much
 *     that it does not matter
 * @param share the part of the rate that was tried; null while nothing was
 * @param partitions the answer: the smallest number that sustained the whole rate, or the one that was calculated where that
 *     could not be tried; null while nothing is known, or where the trials refute the calculation
 * @param low the lower end of its 95 % interval; null while nothing is known
 * @param high its upper end; null where none can be said
 * @param reason why it is no less, or why it is not known
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
    /** The least share of their sum at which the rates of partitions add up. */
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

    /**
     * The share that several partitions carried of their sum, or of a smaller offered rate; null where it is unknown.
     */
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

    public @Nullable Double timesOfOne() {
        @Nullable PartitionTrial many = most();
        @Nullable Double one = many == null ? null : adding.get(0).carried();
        return many == null || many.carried() == null || one == null ? null : (Double) (many.carried() / one);
    }

    /** Formats {@code 31 [29, 33]}, with a question mark for an unknown end. */
    String written() {
        return end(partitions) + " " + interval();
    }

    String interval() {
        return "[" + end(low) + ", " + end(high) + "]";
    }

    private static String end(@Nullable Integer number) {
        return number == null ? "?" : NumberFormat.count((long) number);
    }

    /** True when they carried at least four fifths of the sum, or when that is unknown. */
    public boolean adds() {
        @Nullable PartitionTrial many = most();
        @Nullable Double added = many == null ? null : added(many);
        return added == null || added >= ADDS;
    }

    /**
     * A trial of a search for partitions.
     *
     * @param offered operations per second; null where it went as fast as it could
     * @param carried records per second that were acknowledged, or read where it only reads; null when nothing was
     * @param tried the rate and what came of it; where it went as fast as it could, the rate is what it carried
     */
    public record PartitionTrial(
            int partitions,
            @Nullable Double offered,
            @Nullable Double carried,
            Attempt tried) {
        public boolean sustained() {
            return tried.outcome() == Attempt.Outcome.SUSTAINED;
        }

        public static boolean held(List<PartitionTrial> trials, int partitions) {
            return count(trials, partitions, Attempt.Outcome.SUSTAINED)
                    > count(trials, partitions, Attempt.Outcome.REFUSED);
        }

        public static long count(List<PartitionTrial> trials, int partitions, Attempt.Outcome outcome) {
            return trials.stream()
                    .filter(trial -> trial.partitions == partitions && trial.tried.outcome() == outcome)
                    .count();
        }
    }
}
