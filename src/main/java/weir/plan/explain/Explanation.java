package weir.plan.explain;

import java.util.List;
import weir.feature.Feature;

/** An explanation of words other than keys, metrics, caveats and properties. */
public interface Explanation extends Feature.Part {
    List<String> words();

    String text(String word);
}
