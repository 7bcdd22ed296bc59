package weir.feature.monitor;

import java.util.List;
import weir.feature.Feature;

/** The growth rate of a topic: {@code weir monitor}. */
public final class MonitorFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(MonitorCommand.class);
    }
}
