package weir.feature.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import weir.feature.Feature;
import weir.host.Child;
import weir.host.Command;
import weir.host.Host;
import weir.plan.DisturbanceSpec;
import weir.plan.PlacedSpec;
import weir.plan.syntax.ShellWord;
import weir.run.disturbance.Disturbance;
import weir.run.disturbance.DisturbanceKind;
import weir.run.disturbance.DisturbedTrial;
import weir.run.lab.Lab;

/** The disturbance {@code run}, which runs a user's command during a trial. */
public final class CommandFeature implements Feature, DisturbanceKind {
    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(RunSpec.class);
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

    public static final class RunningCommand implements Lab.ProcessActivity {
        // A child leads a process group. A second process of the group kills it when its input ends, together with the
        // child or Weir. The kernel would signal a parent's death only to the direct child.
        private static final String GROUP =
                "exec 3<&0; (cat <&3 >/dev/null; kill -s KILL -- -$$) & exec \"$@\" </dev/null 3<&-";

        private final Child first;
        private final Runnable after;

        private RunningCommand(Child first, Runnable after) {
            this.first = first;
            this.after = after;
        }

        /**
         * Starts a command.
         *
         * @param folder its working folder; an empty path for a temporary, empty folder on the host
         * @param bootstrap the brokers, for its environment variable BOOTSTRAP_SERVERS
         */
        public static RunningCommand start(
                Host host, String name, List<String> command, Path folder, String bootstrap, Path log) {
            boolean own = folder.toString().isEmpty();
            Path there = own ? host.newFolder(name) : folder.toAbsolutePath();
            List<String> program = new ArrayList<>(List.of("/bin/sh", "-c", GROUP, "sh"));
            program.addAll(List.of("/usr/bin/env", "--chdir=" + there, "BOOTSTRAP_SERVERS=" + bootstrap));
            program.addAll(command);
            return new RunningCommand(host.start(new Command(name, program, log, Command.Output.LOGGED)), () -> {
                if (own) {
                    host.delete(there);
                }
            });
        }

        @Override
        public long pid() {
            return first.pid();
        }

        @Override
        public void close() {
            boolean ran = first.alive();
            int code;
            try {
                first.endTree();
                code = first.exit().join();
            } finally {
                after.run();
            }
            if (!ran && code != 0) {
                throw new IllegalStateException(
                        "the command " + Child.ending(code) + ": " + String.join(" / ", first.lastLines(3)));
            }
        }
    }

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
}
