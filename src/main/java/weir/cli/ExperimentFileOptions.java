package weir.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import weir.plan.read.Overrides;

/** The options that change the values of an experiment file. */
public final class ExperimentFileOptions {
    /** Does not split at a final comma: a lone comma would leave nothing, which means that the option is absent. */
    private static final String SPLIT = ",(?!$)";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Set or replace a value of the file, such as --set load.rate=50k/s. Repeatable.")
    private List<String> set = List.of();

    @Option(
            names = "--only",
            paramLabel = "VARIANT",
            split = SPLIT,
            splitSynopsisLabel = ",",
            description = "Run only these variants of the file.")
    private List<String> only = List.of();

    @Option(
            names = "--on",
            paramLabel = "PLACE",
            description = "Place of all parts of the run that have no place in the file: here or kubernetes. Same as"
                    + " --set placed=PLACE.")
    private String on = "";

    @Option(
            names = "--workers",
            paramLabel = "HOST",
            split = SPLIT,
            splitSynopsisLabel = ",",
            description = "Run the workers on these hosts. Same as --set" + " load.placed.hosts=[HOST,...].")
    private List<String> workers = List.of();

    @Option(
            names = "--short",
            description = "Run a short form, which shows that the experiment works, not how fast Kafka is.")
    private boolean shortened;

    /** Returns these values with the user's {@code --set} values, which override them. */
    public Overrides overrides(String... ours) {
        List<String> all = new ArrayList<>(List.of(ours));
        if (!on.isEmpty()) {
            all.add("placed=" + on);
        }
        if (workers.stream().anyMatch(host -> host.isBlank() || host.equals(","))) {
            throw new ParameterException(
                    spec.commandLine(), "--workers: a host name is missing; write it like --workers big-1,big-2");
        }
        if (!workers.isEmpty()) {
            all.add("load.placed.hosts=[" + String.join(", ", workers) + "]");
        }
        all.addAll(connection.set());
        all.addAll(set);
        return new Overrides(
                all, connection.client(), connection.bootstrap(), connection.commandConfig(), only, shortened);
    }

    /** Returns the options for a weir on another machine, without those that name a file of this one. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (!connection.bootstrap().isEmpty()) {
            arguments.addAll(List.of("--bootstrap-server", connection.bootstrap()));
        }
        connection.client().forEach(property -> arguments.addAll(List.of("-X", property)));
        set.forEach(value -> arguments.addAll(List.of("--set", value)));
        if (!only.isEmpty()) {
            arguments.addAll(List.of("--only", String.join(",", only)));
        }
        if (shortened) {
            arguments.add("--short");
        }
        return arguments;
    }

    /** Returns the place for every part of the experiment that names none itself; empty if the file decides. */
    String on() {
        return on;
    }

    public String commandConfig() {
        return connection.commandConfig();
    }

    boolean namesCluster() {
        return !connection.cluster().isEmpty();
    }
}
