package weir.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.plan.syntax.ScalarType;
import weir.plan.syntax.Units;

/**
 * A model of what a transaction costs: so much by itself, and so much for each of what {@code by} counts.
 *
 * @param of the part of a transaction that is fitted
 * @param by paths of settings that are numbers; the first one is what a longer transaction has more of
 * @param overhead what may come on top of the first one's own cost
 * @param variants that take part
 */
public record FitSpec(String of, List<String> by, Ratio overhead, List<String> variants) {
    public FitSpec {
        by = List.copyOf(by);
        variants = List.copyOf(variants);
    }

    /** A setting's value as a number, null where it is none: 100, 10k, 100 records, 0.5. */
    public static @Nullable Double number(String value) {
        try {
            return value.matches(ScalarType.DECIMAL.pattern()) ? Units.decimal(value) : (double) Units.records(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
