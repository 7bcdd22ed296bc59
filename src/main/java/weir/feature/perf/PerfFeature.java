package weir.feature.perf;

import java.util.List;
import weir.feature.Feature;

/** Kafka's own performance tools with their flags and output lines. */
public final class PerfFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(PerfCommand.class);
    }
}
