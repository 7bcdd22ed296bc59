package weir.feature.kubernetes;

import java.util.List;
import weir.cli.Conductor;
import weir.cli.PlaceCheck;
import weir.feature.Feature;
import weir.plan.check.VariantCheck;

/** Runs in Kubernetes pods: started from outside, conducted by a pod. */
public final class KubernetesFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(ConductCommand.class);
    }

    @Override
    public List<Conductor> conductors() {
        return List.of(new InPods());
    }

    @Override
    public List<VariantCheck> variantChecks() {
        return List.of(new KubernetesChecks());
    }

    @Override
    public List<PlaceCheck> placeChecks() {
        return List.of(new KubernetesDoctor());
    }
}
