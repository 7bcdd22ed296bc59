package weir.feature.live;

import java.util.List;
import weir.feature.Feature;

/** The live page of a run, and the options {@code --live} and {@code --metrics}. */
public final class LiveFeature implements Feature {
    @Override
    public List<Part> options() {
        return List.of(new WatchOptions());
    }
}
