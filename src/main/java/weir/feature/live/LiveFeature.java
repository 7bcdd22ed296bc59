package weir.feature.live;

import java.util.List;
import weir.feature.Feature;

/** The live page of a run, and the options of watching. */
public final class LiveFeature implements Feature {
    @Override
    public List<Part> options() {
        return List.of(new WatchOptions());
    }
}
