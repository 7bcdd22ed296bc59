package weir.cli.deploy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints how a run is started by something else than Weir. */
@Command(
        name = "deploy",
        header = "Print what a run needs in Kubernetes or Marathon, and start nothing.",
        synopsisSubcommandLabel = "kubernetes|marathon",
        subcommands = {DeployKubernetesCommand.class, DeployMarathonCommand.class})
public final class DeployCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "kubernetes or marathon? weir deploy --help tells more");
    }
}
