package weir.feature.partitions;

import java.time.Duration;
import java.util.List;
import weir.plan.Expectation;
import weir.plan.Rate;
import weir.plan.Ratio;
import weir.plan.SearchSpec;
import weir.plan.Variant;

/** A search for the number of partitions that sustains a rate. */
public record PartitionsSpec(String of, Rate carried, List<Expectation> limits, Duration warmup, Duration measure)
        implements SearchSpec {
    private static final Ratio PRECISION = new Ratio(0.05);

    public PartitionsSpec {
        limits = List.copyOf(limits);
    }

    @Override
    public boolean readsAtFullSpeed() {
        return true;
    }

    @Override
    public Rate to() {
        return carried;
    }

    public SearchSpec.Capacity ofOne(Variant variant) {
        List<Expectation> held = limits.stream()
                .filter(limit -> limit.metric().lacking(variant).isEmpty())
                .toList();
        return new SearchSpec.Capacity(of, held, Rate.of(0), Rate.of(0), PRECISION, warmup, measure);
    }

    public Duration trying() {
        return measure.multipliedBy(3);
    }
}
