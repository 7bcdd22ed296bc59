package weir.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import weir.plan.read.Overrides;

public final class ExperimentFileOptions {
    /** Ignores a comma at the end: splitting a lone comma would give no value, as if the option were absent. */
    private static final String SPLIT = ",(?!$)";

    private static final int MOST_SCALE = 1_000;

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
            names = "--scale",
            paramLabel = "FACTOR",
            description = "Multiply each rate of the file by this factor, such as 0.1.")
    private double scale = 1;

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
            description = "Where to place the parts of the run that the file does not place: here or kubernetes."
                    + " Same as --set placed=PLACE.")
    private String on = "";

    @Option(
            names = "--workers",
            paramLabel = "HOST",
            split = SPLIT,
            splitSynopsisLabel = ",",
            description = "Run the workers on these hosts. Same as --set load.placed.hosts=[HOST,...].")
    private List<String> workers = List.of();

    @Option(
            names = "--short",
            description = "Run a short form, which shows that the experiment works, not how fast Kafka is.")
    private boolean shortened;

    /** Returns the values of {@code ours}, overridden by the user's {@code --set} values. */
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
        if (!(scale > 0 && scale <= MOST_SCALE)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--scale: must be above 0 and at most " + MOST_SCALE + ", found '" + scale + "'");
        }
        all.addAll(connection.set());
        all.addAll(set);
        return new Overrides(
                all, connection.client(), connection.bootstrap(), connection.commandConfig(), only, shortened, scale);
    }

    /** Returns the options for a Weir process on another machine, without options that name local files. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        add(arguments, !connection.bootstrap().isEmpty(), "--bootstrap-server", connection.bootstrap());
        connection.client().forEach(property -> arguments.addAll(List.of("-X", property)));
        set.forEach(value -> arguments.addAll(List.of("--set", value)));
        add(arguments, scale != 1, "--scale", String.valueOf(scale));
        add(arguments, !only.isEmpty(), "--only", String.join(",", only));
        add(arguments, shortened, "--short");
        return arguments;
    }

    static void add(List<String> arguments, boolean given, String... words) {
        if (given) {
            arguments.addAll(List.of(words));
        }
    }

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
