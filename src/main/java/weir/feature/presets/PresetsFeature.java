package weir.feature.presets;

import java.util.List;
import weir.feature.Feature;
import weir.judge.caveat.FeatureCaveats;
import weir.plan.explain.Explanation;
import weir.plan.syntax.VariantOverlay;

/** Client settings by goal: {@code weir presets}. */
public final class PresetsFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(PresetsCommand.class);
    }

    @Override
    public List<FeatureCaveats> caveats() {
        return List.of(new PresetCaveats());
    }

    @Override
    public List<VariantOverlay> variantOverlays() {
        return List.of(new PresetWords());
    }

    @Override
    public List<Explanation> explanations() {
        return List.of(new PresetWords());
    }
}
