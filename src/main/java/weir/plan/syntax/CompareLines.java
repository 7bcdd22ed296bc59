package weir.plan.syntax;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.CompareSpec;

public final class CompareLines {
    private static final Pattern OVER = Pattern.compile("(\\S+) / (\\S+)");
    private static final Pattern BETWEEN = Pattern.compile("(\\S+) from (\\S+) to (\\S+)");

    private CompareLines() {}

    public static CompareSpec parse(String text) {
        Matcher over = OVER.matcher(text);
        if (over.matches()) {
            return new CompareSpec.Over(over.group(1), over.group(2));
        }
        Matcher between = BETWEEN.matcher(text);
        if (between.matches()) {
            return new CompareSpec.Between(between.group(1), between.group(2), between.group(3));
        }
        throw Units.unreadable(text, "a comparison", "zstd / lz4, or: limited from stressed to quiet");
    }
}
