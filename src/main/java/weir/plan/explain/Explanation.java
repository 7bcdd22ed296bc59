package weir.plan.explain;

import java.util.List;
import weir.feature.Feature;

/** A feature's explanation of words, such as the names of presets. */
public interface Explanation extends Feature.Part {
    List<String> words();

    String text(String word);
}
