package weir.feature.command;

import java.time.Duration;
import java.util.List;
import weir.plan.DisturbanceSpec;
import weir.plan.PlacedSpec;

/** A user's command, run in the experiment's folder here or in an empty folder elsewhere. The disturbance ends it. */
public record RunSpec(Duration at, Duration length, List<String> command, PlacedSpec placed)
        implements DisturbanceSpec {
    public RunSpec {
        command = List.copyOf(command);
    }

    @Override
    public String processes() {
        return "command";
    }

    @Override
    public boolean reachesBrokers() {
        return true;
    }
}
