package weir.feature.command;

import java.time.Duration;
import java.util.List;
import weir.plan.DisturbanceSpec;
import weir.plan.PlacedSpec;

/** A user's command for the length of a disturbance. On this machine the command runs in the experiment's folder. */
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
