package weir.plan.read;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import weir.plan.Problems;
import weir.plan.syntax.Tree;

/** The factor of {@code --scale}, which multiplies each rate that the loads of a file have. Times stay as they are. */
final class RateScale {
    private static final String RATE = "load.rate";
    /** A rate, the operations of a burst, or the rate of a step such as 1000:30. */
    private static final Pattern NUMBER =
            Pattern.compile("(?<![0-9.])([0-9][0-9_]*(?:\\.[0-9]+)?)(?=\\s*[a-zA-Z]*/s|\\s+every\\b|:[0-9])");

    private final BigDecimal factor;
    private boolean found;

    private RateScale(double factor) {
        this.factor = BigDecimal.valueOf(factor);
    }

    /**
     * Returns the tree with other rates.
     *
     * @throws Problems if the file has no rate
     */
    static Tree.Section scaled(Tree.Section tree, double factor) {
        if (factor == 1) {
            return tree;
        }
        RateScale scale = new RateScale(factor);
        Tree.Section scaled = (Tree.Section) scale.scaled(tree, "", false);
        if (!scale.found) {
            throw Problems.of(
                    "--scale", "the loads of the file have no rate to multiply; write a rate such as load.rate: 1k/s");
        }
        return scaled;
    }

    private Tree scaled(Tree tree, String name, boolean rate) {
        return tree instanceof Tree.Text text && rate
                ? new Tree.Text(NUMBER.matcher(text.text()).replaceAll(this::times), text.quoted(), text.origin())
                : tree.parts((key, part) -> key.isEmpty()
                        ? scaled(part, name, rate)
                        : scaled(part, key, rate || (name + "." + key).endsWith(RATE)));
    }

    private String times(MatchResult number) {
        found = true;
        BigDecimal before = new BigDecimal(number.group(1).replace("_", ""));
        return before.multiply(factor, MathContext.DECIMAL64)
                .stripTrailingZeros()
                .toPlainString();
    }
}
