package weir.plan.explain;

import java.util.List;
import weir.feature.Feature;

/** The explanation of words that are not keys, metrics, caveats or properties. */
public interface Explanation extends Feature.Part {
    List<String> words();

    /** The text about one of the words, which begins with a heading. */
    String text(String word);
}
