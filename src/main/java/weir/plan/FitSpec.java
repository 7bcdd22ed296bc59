package weir.plan;

import java.util.List;

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
}
