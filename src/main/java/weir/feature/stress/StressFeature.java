package weir.feature.stress;

import java.util.List;
import weir.feature.Feature;
import weir.feature.stress.Stressor.StressSpec;
import weir.host.MachineResources;
import weir.measure.DisturbanceReadings;
import weir.plan.DisturbanceSpec;
import weir.plan.Variant;
import weir.probe.WatchedProcess;
import weir.run.disturbance.Disturbance;
import weir.run.disturbance.DisturbanceKind;
import weir.run.disturbance.DisturbedTrial;
import weir.run.lab.Lab;

/** The disturbance {@code stress}, which uses memory, CPU and disk during a trial. */
public final class StressFeature implements Feature, DisturbanceKind {
    private static final double MIB = 1 << 20;

    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(StressSpec.class);
    }

    @Override
    public Class<? extends DisturbanceSpec> asked() {
        return StressSpec.class;
    }

    @Override
    public List<String> missing(DisturbanceSpec asked, MachineResources machine, Variant variant) {
        return Stressor.missing((StressSpec) asked, machine, variant.cluster().data());
    }

    @Override
    public Disturbance ready(String name, DisturbanceSpec what, String host, DisturbedTrial trial) {
        StressSpec asked = (StressSpec) what;
        MachineResources machine = trial.lab().machine(host);
        Stressor.Demand demand = Stressor.demand(asked, machine.freeMemory());
        String source = DisturbanceReadings.ofStress(name, host);
        trial.notes().reading(source, DisturbanceReadings.ASKED_MEMORY, demand.heldMemory() / MIB);
        trial.notes().reading(source, DisturbanceReadings.ASKED_DISK, demand.disk() / MIB);
        double most = demand.within().ioPerSecond().bytes() / MIB;
        if (most > 0) {
            trial.notes().reading(source, DisturbanceReadings.MOST_WRITTEN, most);
        }
        trial.notes().reading(source, DisturbanceReadings.ASKED_CORES, demand.cores(machine.processors()));
        return Disturbance.of(Stressor.words(asked), () -> {
            Lab.ProcessActivity begun = trial.lab()
                    .process(
                            host,
                            "stress " + name,
                            place -> Stressor.start(
                                    place,
                                    name,
                                    demand,
                                    asked.length(),
                                    trial.data(host),
                                    trial.log("stress-" + name, host)));
            trial.probes().watch(new WatchedProcess(WatchedProcess.Kind.TREE, source, host, begun.pid()));
            return begun;
        });
    }
}
