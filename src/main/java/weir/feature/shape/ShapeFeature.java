package weir.feature.shape;

import java.util.ArrayList;
import java.util.List;
import weir.feature.Feature;
import weir.judge.TrialFiles;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.FeatureCaveats;
import weir.plan.ByteSize;
import weir.plan.LoadPart;
import weir.report.RunView;
import weir.report.Section;
import weir.report.TrialView;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.TrialResult;
import weir.run.lab.TrialExtension;

/** The load of a running cluster as an experiment file, and the comparison of a load with its records in Kafka. */
public final class ShapeFeature implements Feature {
    /** The highest rate per second at which a comparison reads; zero without a comparison. */
    public record ShapeSpec(ByteSize read) implements LoadPart {}

    @Override
    public List<Class<?>> commands() {
        return List.of(ShapeCommand.class);
    }

    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(ShapeSpec.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(
                (TrialExtension.Maker) (stage, wall) -> ShapeComparison.attach(stage),
                new FeatureCaveats() {
                    @Override
                    public void ofTrial(TrialFiles files, TrialResult result, CaveatCollector caveats) {
                        ShapeComparison.ofTrial(files.folder(), caveats);
                    }
                },
                new Section(165, "shape", "Shape", ShapeFeature::page));
    }

    static List<Block> page(RunView run) {
        List<Block> blocks = new ArrayList<>();
        for (String variant : run.variants()) {
            TrialView trial = run.median(variant);
            ShapeComparison.Result.of(trial.folder()).forEach(result -> {
                blocks.add(Table.of(3, result.rows())
                        .column("property", ShapeComparison.Row::property)
                        .column("requested", ShapeComparison.Row::requested)
                        .column("found in Kafka", ShapeComparison.Row::found)
                        .column("distance", ShapeComparison.Row::distanceText)
                        .as("t-shape-" + blocks.size(), "Shape of " + trial.label()));
                result.notes().forEach(note -> blocks.add(Block.note(note)));
            });
        }
        return blocks;
    }
}
