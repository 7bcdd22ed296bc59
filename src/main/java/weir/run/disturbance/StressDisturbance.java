package weir.run.disturbance;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.host.MachineResources;
import weir.host.Stressor;
import weir.measure.DisturbanceReadings;
import weir.plan.DisturbanceSpec;
import weir.run.lab.Lab;

/** Memory, disk and CPU taken from a machine. What is asked for is noted where what is taken will be. */
final class StressDisturbance implements Disturbance {
    private static final double MIB = 1 << 20;

    private final String host;
    private final String name;
    private final String source;
    private final DisturbanceSpec.Stress asked;
    private final Lab lab;
    private final Lab.Probing probes;
    private final TrialNotes notes;
    private final Path data;
    private final Path log;

    private Stressor.@Nullable Demand demand;
    private Lab.@Nullable Stressing stressing;

    /**
     * @param host that is stressed; empty for this machine
     * @param data the folder that the brokers there write to, or an empty path
     * @param log takes what the stressing program says
     */
    StressDisturbance(
            String host,
            String name,
            DisturbanceSpec.Stress asked,
            Lab lab,
            Lab.Probing probes,
            TrialNotes notes,
            Path data,
            Path log) {
        this.host = host;
        this.name = name;
        this.source = DisturbanceReadings.ofStress(name, host);
        this.asked = asked;
        this.lab = lab;
        this.probes = probes;
        this.notes = notes;
        this.data = data;
        this.log = log;
    }

    @Override
    public String announced() {
        MachineResources machine = lab.machine(host);
        Stressor.Demand now = Stressor.demand(asked, machine.freeMemory());
        demand = now;
        notes.reading(source, DisturbanceReadings.ASKED_MEMORY, now.heldMemory() / MIB);
        notes.reading(source, DisturbanceReadings.ASKED_DISK, now.disk() / MIB);
        if (now.within().ioPerSecond().bytes() > 0) {
            notes.reading(
                    source,
                    DisturbanceReadings.MOST_WRITTEN,
                    now.within().ioPerSecond().bytes() / MIB);
        }
        notes.reading(source, DisturbanceReadings.ASKED_CORES, now.cores(machine.processors()));
        return Stressor.words(asked);
    }

    @Override
    public void begin() {
        Lab.Stressing begun = lab.stress(host, name, Objects.requireNonNull(demand), asked.length(), data, log);
        stressing = begun;
        probes.watchStress(host, source, begun.pid());
    }

    @Override
    public void end() {
        Objects.requireNonNull(stressing).close();
    }
}
