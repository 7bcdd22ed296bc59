package weir.plan.syntax;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of other tools for Weir's keys and metrics, from {@code synonyms.yaml}. */
public final class Synonyms {
    static final Tree.Section TABLE = Keys.table("synonyms.yaml");

    private static final Pattern PERCENTILE = Pattern.compile("p\\(?([0-9]{1,2}(?:\\.[0-9]{1,6})?)\\)?");
    private static final Pattern DOTTED = Pattern.compile("([a-z0-9-]+)[._-](p[0-9.]+|mean|max|end)");

    private Synonyms() {}

    public static String ofKey(String word) {
        return hint(TABLE.section("keys").text(plain(word)));
    }

    public static String ofMetric(String word) {
        Matcher percentile = PERCENTILE.matcher(word);
        if (percentile.matches()) {
            return hint("response p" + percentile.group(1));
        }
        Matcher dotted = DOTTED.matcher(word);
        if (dotted.matches() && Glossary.metrics().containsKey(dotted.group(1))) {
            return hint(dotted.group(1) + " " + dotted.group(2));
        }
        return hint(TABLE.section("metrics").text(plain(word)));
    }

    private static String hint(String written) {
        return written.isEmpty() ? "" : "; here it is written '" + written.replace("*", "NAME") + "'";
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
    }
}
