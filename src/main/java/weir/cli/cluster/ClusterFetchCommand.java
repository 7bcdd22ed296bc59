package weir.cli.cluster;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.cli.CommandLineCluster;
import weir.cli.FormatOption;
import weir.cli.terminal.JsonOutput;
import weir.cluster.Progress;
import weir.cluster.release.Release;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;

/** Fetches releases of Kafka ahead of their use. */
@Command(name = "fetch", header = "Fetch releases of Kafka into the cache, to be offline later.")
final class ClusterFetchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FormatOption format = new FormatOption();

    @Option(names = "--tools", description = "With Kafka's own performance tools.")
    private boolean tools;

    @Parameters(paramLabel = "VERSION", arity = "1..*", description = "Exact versions, such as 3.9.1.")
    private List<String> versions = List.of();

    @Override
    public void run() {
        versions.forEach(version -> CommandLineCluster.checkRelease(spec.commandLine(), version));
        Progress progress = spec.commandLine().getErr()::println;
        try (Journal journal = Journal.open();
                Children children = Children.open(journal)) {
            versions.forEach(version -> EmbeddedCluster.prepare(version, children, progress));
        }
        for (String version : versions) {
            Release release = tools ? Release.fetchWithTools(version, progress) : Release.fetch(version, progress);
            List<String> jars =
                    release.classpath().stream().map(Object::toString).toList();
            if (format.json()) {
                JsonOutput.print(spec.commandLine().getOut(), Map.of("version", release.version(), "classpath", jars));
            } else {
                spec.commandLine().getOut().println("Kafka " + release.version() + ": " + jars.size() + " jars");
            }
        }
    }
}
