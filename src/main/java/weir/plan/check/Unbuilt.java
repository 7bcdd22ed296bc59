package weir.plan.check;

import java.util.ArrayList;
import java.util.List;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;
import weir.plan.Problem;
import weir.plan.Variant;

/** The parts of an experiment that Weir can read and check but not run yet. */
public final class Unbuilt {
    private final List<Problem> found = new ArrayList<>();

    private final Experiment.SourcePositions places;

    private Unbuilt(Experiment.SourcePositions places) {
        this.places = places;
    }

    public static List<Problem> in(Experiment experiment) {
        Unbuilt unbuilt = new Unbuilt(experiment.places());
        experiment.variants().forEach(unbuilt::variant);
        return unbuilt.found;
    }

    private void variant(Variant variant) {
        load(variant, variant.load());
        variant.during().forEach((name, what) -> {
            if (what instanceof DisturbanceSpec.Load) {
                add(variant, "during." + name, "a second load");
            }
        });
    }

    private void load(Variant variant, LoadSpec load) {
        if (load.consumers().group().protocol() == GroupSpec.Protocol.SHARE) {
            add(variant, "load.group", "a share group");
        }
    }

    private void add(Variant variant, String path, String part) {
        add(places.problem(variant, path, part + " is not built yet"));
    }

    private void add(Problem problem) {
        if (found.stream().noneMatch(other -> other.message().equals(problem.message()))) {
            found.add(problem);
        }
    }
}
