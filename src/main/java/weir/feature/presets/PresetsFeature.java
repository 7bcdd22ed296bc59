package weir.feature.presets;

import java.util.List;
import weir.feature.Feature;

/** Client settings by goal: {@code weir presets}. */
public final class PresetsFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(PresetsCommand.class);
    }
}
