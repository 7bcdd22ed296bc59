package weir.cli.deploy;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.cli.ExperimentFileOptions;
import weir.cli.HostPort;
import weir.cli.terminal.JsonOutput;
import weir.plan.Experiment;
import weir.plan.PlacedSpec;
import weir.plan.read.PlanReader;
import weir.plan.syntax.ShellWord;

/** Prints the agents of a run as applications of Marathon. */
@Command(
        name = "marathon",
        header = "Print the agents of a run as a group of applications of Marathon, as JSON.",
        description = {
            "One application for the load, one for gateways and one for brokers that are placed elsewhere, each instance on"
                    + " a host of its own. An instance is a weir worker that connects to the run: a host with the name"
                    + " PART.HOSTNAME, for placed: { hosts: [...], start: by-hand }."
        })
final class DeployMarathonCommand implements Runnable {
    private static final String EXAMPLE = "10.0.0.1:7411";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ExperimentFileOptions options = new ExperimentFileOptions();

    @Option(
            names = "--connect",
            paramLabel = "HOST:PORT",
            description = "Where the run waits for its workers; without it the address of load.placed.")
    private String connect = "";

    @Option(
            names = "--token",
            paramLabel = "FILE",
            description = "Where the token file of the run is on each host; /etc/weir/token.")
    private String token = "/etc/weir/token";

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "An image with weir on its PATH; without it each host has weir.")
    private String image = "";

    @Parameters(paramLabel = "FILE", description = "The experiment.")
    private Path file = Path.of("");

    @Override
    public void run() {
        Experiment experiment = PlanReader.read(file, options.overrides());
        MarathonApp.Agents agents =
                new MarathonApp.Agents(ShellWord.of(address(experiment)), ShellWord.of(token), image);
        Map<String, Object> group = new LinkedHashMap<>();
        group.put("id", "/weir/" + experiment.name());
        group.put(
                "apps",
                MarathonApp.of(experiment).stream()
                        .map(app -> app.json(experiment.name(), agents))
                        .toList());
        PrintWriter out = spec.commandLine().getOut();
        JsonOutput.pretty(out, group);
    }

    private String address(Experiment experiment) {
        String said = connect;
        if (said.isEmpty()
                && experiment.variants().get(0).load().placed() instanceof PlacedSpec.Hosts hosts
                && hosts.port() > 0) {
            said = hosts.address();
        }
        if (said.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--connect: nothing says where the run waits for its workers; " + HostPort.advice(EXAMPLE));
        }
        try {
            HostPort.read(said, 1, EXAMPLE);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--connect: " + e.getMessage(), e);
        }
        return said;
    }
}
