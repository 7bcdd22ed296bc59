package weir.feature.command;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import weir.feature.Feature;
import weir.plan.DisturbanceSpec;
import weir.plan.syntax.ShellWord;
import weir.run.disturbance.Disturbance;
import weir.run.disturbance.DisturbanceKind;
import weir.run.disturbance.DisturbedTrial;

/** A command of the user's that runs while a trial does. */
public final class CommandFeature implements Feature, DisturbanceKind {
    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(RunSpec.class);
    }

    @Override
    public List<DisturbanceKind> disturbances() {
        return List.of(this);
    }

    @Override
    public Class<? extends DisturbanceSpec> asked() {
        return RunSpec.class;
    }

    @Override
    public Disturbance ready(String name, DisturbanceSpec asked, String host, DisturbedTrial trial) {
        List<String> command = ((RunSpec) asked).command();
        Path folder =
                host.isEmpty() ? trial.experiment().file().toAbsolutePath().resolveSibling("") : Path.of("");
        Path log = trial.log("run-" + name, host);
        String bootstrap = trial.cluster().bootstrap();
        return Disturbance.of(
                "runs " + command.stream().map(ShellWord::of).collect(Collectors.joining(" ")),
                () -> trial.lab()
                        .process(
                                host,
                                "run " + name,
                                place -> RunningCommand.start(place, name, command, folder, bootstrap, log)));
    }
}
