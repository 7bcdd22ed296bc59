package weir.plan.read;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Tree.Section scaled = scale.section(tree, "", false);
        if (!scale.found) {
            throw Problems.of(
                    "--scale", "the loads of the file have no rate to multiply; write a rate such as load.rate: 1k/s");
        }
        return scaled;
    }

    private Tree.Section section(Tree.Section section, String name, boolean rate) {
        Map<String, Tree> entries = new LinkedHashMap<>();
        section.entries()
                .forEach((key, value) -> entries.put(key, any(value, key, rate || (name + "." + key).endsWith(RATE))));
        return new Tree.Section(entries, section.places(), section.origin());
    }

    private Tree any(Tree tree, String name, boolean rate) {
        if (tree instanceof Tree.Section section) {
            return section(section, name, rate);
        }
        if (tree instanceof Tree.Items list) {
            List<Tree> items = new ArrayList<>();
            list.items().forEach(item -> items.add(any(item, name, rate)));
            return new Tree.Items(items, list.origin());
        }
        Tree.Text text = (Tree.Text) tree;
        return rate
                ? new Tree.Text(NUMBER.matcher(text.text()).replaceAll(this::times), text.quoted(), text.origin())
                : text;
    }

    private String times(MatchResult number) {
        found = true;
        BigDecimal before = new BigDecimal(number.group(1).replace("_", ""));
        return before.multiply(factor, MathContext.DECIMAL64)
                .stripTrailingZeros()
                .toPlainString();
    }
}
