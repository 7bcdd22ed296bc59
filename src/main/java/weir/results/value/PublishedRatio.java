package weir.results.value;

import java.util.List;
import java.util.stream.Collectors;

/** A ratio that somebody else published. */
public record PublishedRatio(String source, double ratio) {
    /** The ratio of one source as people read it. */
    public static String written(List<PublishedRatio> all, String source) {
        return all.stream()
                .filter(one -> one.source().equals(source))
                .findFirst()
                .map(one -> NumberFormat.times(one.ratio()))
                .orElse(NumberFormat.MISSING);
    }

    /** All of them in a line, as in "2.13× in the guide"; empty where there are none. */
    public static String text(List<PublishedRatio> all) {
        return all.stream()
                .map(one -> NumberFormat.times(one.ratio()) + " in " + one.source())
                .collect(Collectors.joining(", "));
    }
}
