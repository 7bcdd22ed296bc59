package weir.cli;

import java.util.List;
import picocli.CommandLine.Option;
import weir.plan.Overrides;

/** The options that change what a file says. */
final class FileOptions {
    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Lay a value over the file: --set load.rate=50k/s. May be given several times.")
    private List<String> set = List.of();

    @Option(
            names = "-X",
            paramLabel = "NAME=VALUE",
            description = "A client property: -X sasl.mechanism=PLAIN. May be given several times.")
    private List<String> client = List.of();

    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT,...",
            description = "Use this cluster instead of starting one.")
    private String bootstrap = "";

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Client properties for that cluster, as Kafka's own tools take them.")
    private String commandConfig = "";

    @Option(names = "--only", paramLabel = "VARIANT", split = ",", description = "Leave out all other variants.")
    private List<String> only = List.of();

    @Option(names = "--short", description = "Lay the file's own 'short' section over it.")
    private boolean shortened;

    Overrides overrides() {
        return new Overrides(set, client, bootstrap, commandConfig, only, shortened);
    }

    boolean elsewhere() {
        return !bootstrap.isEmpty();
    }
}
