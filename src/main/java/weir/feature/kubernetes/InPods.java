package weir.feature.kubernetes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import weir.cli.Conductor;
import weir.cli.RunCommandOptions;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.cluster.release.Release;
import weir.feature.hosts.ProgramFiles;
import weir.host.HostUnavailable;
import weir.io.Io;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.results.RunFolder;
import weir.run.PreflightException;
import weir.run.RunOptions;
import weir.run.lab.ProcessLab;

/** A run in Kubernetes pods. A user starts the run outside of the cluster; its conductor is a pod. */
public final class InPods implements Conductor {
    private static final String UNWATCHED =
            "has no effect on a run in pods; remove it, and read the report after the run";
    private static final Path CACHE = Path.of(".cache/weir");

    @Override
    public OptionalInt conduct(RunCommandOptions run, Path file, Experiment experiment, String... ours) {
        if (!experiment.inPods()) {
            return OptionalInt.empty();
        }
        if (System.getenv(RunObjects.RUN) != null) {
            return OptionalInt.of(inside(run, experiment));
        }
        refuse(
                run.command(),
                "--resume",
                "a run in pods cannot be resumed; start a new run, and name the missing variants with --only");
        refuse(run.command(), "--live", UNWATCHED);
        refuse(run.command(), "--metrics", UNWATCHED);
        return OptionalInt.of(outside(run, file, experiment, run.arguments(ours)));
    }

    private static void refuse(CommandLine command, String option, String why) {
        if (command.getParseResult().hasMatchedOption(option)) {
            throw new ParameterException(command, option + ": " + why);
        }
    }

    static RunIdentity run() {
        return new RunIdentity(variable(RunObjects.RUN), variable(RunObjects.NAMESPACE), "");
    }

    private static int inside(RunCommandOptions launcher, Experiment experiment) {
        try (PodHosts pods = PodHosts.open(
                experiment, run(), line -> launcher.command().getErr().println("  " + line))) {
            Experiment placed = pods.placed(variable(RunObjects.ADDRESS) + ":" + RunObjects.PORT);
            return launcher.conduct(placed, launcher.options(), notes -> ProcessLab.open(pods, notes));
        } catch (HostUnavailable e) {
            throw new PreflightException(String.valueOf(e.getMessage()));
        }
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            throw new PreflightException(
                    name + " is not set; inside a pod, weir needs the objects of 'weir deploy kubernetes'");
        }
        return value;
    }

    private static int outside(RunCommandOptions launcher, Path file, Experiment experiment, List<String> arguments) {
        CommandLine command = launcher.command();
        RunOptions options = launcher.options();
        boolean theirs = experiment.variants().stream()
                .anyMatch(variant -> !variant.cluster().startedByWeir());
        if (theirs && !options.yes()) {
            throw new PreflightException(
                    "Weir did not start this cluster, and a run in pods cannot ask for confirmation; read the estimate of"
                            + " 'weir check', then add --yes");
        }
        String text = Io.attempt("reading " + file, () -> Files.readString(file));
        List<Problem> problems = PodFiles.missing(experiment, text);
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
        PlacedSpec.Kubernetes placed = RunObjects.placed(experiment);
        RunIdentity run = RunIdentity.now(experiment.name(), placed.namespace());
        RunObjects objects = new RunObjects(run, experiment, text, arguments);
        command.getErr().println("in Kubernetes, namespace " + run.namespace() + ": " + run.name());
        try (KubernetesRun outside = KubernetesRun.open(objects, ProgramFiles.build(WeirVersion.number()), printed -> {
                    command.getErr().print(printed);
                    command.getErr().flush();
                });
                SignalHandler interrupts = new SignalHandler(outside::interrupt)) {
            KubernetesRun.Outcome outcome = outside.conduct(jars(command, experiment), options.root());
            if (outcome.folder().toString().isEmpty()) {
                return interrupts.exit(outcome.exit());
            }
            RunFolder folder = RunFolder.open(outcome.folder());
            return launcher.show(folder, folder::concluded, interrupts.exit(outcome.exit()));
        } catch (HostUnavailable e) {
            throw new PreflightException(String.valueOf(e.getMessage()));
        }
    }

    private static List<KubernetesRun.Sent> jars(CommandLine command, Experiment experiment) {
        List<KubernetesRun.Sent> sent = new ArrayList<>();
        experiment.variants().stream()
                .filter(variant -> variant.load().target() == LoadSpec.Target.CLUSTER)
                .map(variant -> variant.cluster().kafka())
                .filter(version -> !version.isEmpty())
                .distinct()
                .forEach(version -> jars(command, version, sent));
        return sent;
    }

    private static void jars(CommandLine command, String version, List<KubernetesRun.Sent> sent) {
        Release release = Release.fetch(version, what -> command.getErr().println("  " + what));
        List<String> paths = new ArrayList<>();
        Path list = Release.list(CACHE, version);
        for (Path jar : release.classpath()) {
            Path path = list.resolveSibling(jar.getFileName());
            sent.add(new KubernetesRun.Sent(jar, path.toString(), list.toString()));
            paths.add(RunObjects.HOME + "/" + path);
        }
        Io.attempt("listing the jars of Kafka " + version, () -> {
            Path written = Files.createTempFile("weir-classpath-", "");
            written.toFile().deleteOnExit();
            sent.add(new KubernetesRun.Sent(Files.write(written, paths), list.toString(), list.toString()));
        });
    }
}
