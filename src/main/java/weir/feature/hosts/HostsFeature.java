package weir.feature.hosts;

import java.util.List;
import weir.feature.Feature;
import weir.judge.caveat.FeatureCaveats;
import weir.plan.check.VariantCheck;
import weir.run.lab.OtherHosts;

/** Hosts other than this machine, each with an agent that a run conducts. */
public final class HostsFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(WorkerCommand.class);
    }

    @Override
    public List<VariantCheck> variantChecks() {
        return List.of(new HostChecks());
    }

    @Override
    public List<FeatureCaveats> caveats() {
        return List.of(new ClockCaveats());
    }

    @Override
    public List<OtherHosts.Maker> hosts() {
        return List.of(WorkerHosts::new);
    }
}
