package weir.feature.readers;

import java.time.Duration;
import java.util.List;
import weir.plan.Expectation;
import weir.plan.LoadSpec;
import weir.plan.Rate;
import weir.plan.Ratio;
import weir.plan.SearchSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.trial.FixedRateVariant;

/**
 * A search for the smallest number of consumers that carries a rate.
 *
 * @param most the largest number to try
 */
public record ConsumersSearchSpec(
        String of, Rate carried, int most, List<Expectation> limits, Duration warmup, Duration measure)
        implements SearchSpec {
    private static final String SEARCH = "search.consumers";
    private static final Ratio PRECISION = new Ratio(0.05);

    public ConsumersSearchSpec {
        limits = List.copyOf(limits);
    }

    @Override
    public Rate to() {
        return carried;
    }

    /** Returns the parts of this search that are also those of a search for a capacity. */
    Capacity paced() {
        return new Capacity(of, limits, Rate.of(0), Rate.of(0), PRECISION, warmup, measure);
    }

    Variant with(Variant variant, int consumers, double perSecond) {
        Variant with = variant.with("load.consumers", consumers, SEARCH);
        return FixedRateVariant.tried(with, paced(), perSecond, measure);
    }

    /** Returns the partitions of the variant's topics; each reader of a group other than a share group needs one. */
    static int partitions(Variant variant) {
        if (variant.load().consumers().group().shares()
                || variant.usedTopics().values().stream().anyMatch(TopicSpec::existing)) {
            return Integer.MAX_VALUE;
        }
        return variant.usedTopics().values().stream()
                .mapToInt(topic -> topic.partitions() * topic.count())
                .sum();
    }

    /** Returns the records per second that one reader can work on; infinite without work. */
    static double ability(LoadSpec.Consumers readers) {
        return readers.threads().count() * 1e9 / readers.work().each().toNanos();
    }
}
