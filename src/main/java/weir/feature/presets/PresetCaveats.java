package weir.feature.presets;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import weir.judge.caveat.FeatureCaveats;
import weir.judge.caveat.RunCaveats;
import weir.plan.Setting;
import weir.plan.property.Property;
import weir.plan.syntax.CaveatType;
import weir.results.RequestedExperiment;

/** The broker properties that a preset asks for and a given cluster does not have. */
final class PresetCaveats implements FeatureCaveats {
    private static final CaveatType PRESET_NOT_MET = CaveatType.named("preset-not-met");

    @Override
    public void ofRun(RunCaveats run) {
        for (RequestedExperiment.Variant variant : run.asked().variants()) {
            List<Property> brokers = run.machine().properties().getOrDefault(variant.name(), List.of()).stream()
                    .filter(property -> property.of().startsWith("broker "))
                    .toList();
            List<String> open = new ArrayList<>();
            for (Setting setting : variant.settings()) {
                String name = setting.askedOfOperator();
                Set<String> there = brokers.stream()
                        .filter(property -> property.name().equals(name))
                        .map(Property::effective)
                        .collect(Collectors.toCollection(TreeSet::new));
                if (!name.isEmpty() && !there.isEmpty() && !there.equals(Set.of(setting.value()))) {
                    open.add(name + " is " + String.join(" / ", there) + " (" + setting.value() + " asked)");
                }
            }
            run.caveats().addIf(!open.isEmpty(), "", PRESET_NOT_MET, variant.name(), String.join(", ", open));
        }
    }
}
