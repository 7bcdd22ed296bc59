package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import weir.cli.Conductor;
import weir.cli.RunCommandOptions;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.cluster.release.Release;
import weir.feature.hosts.ProgramFiles;
import weir.feature.kubernetes.ConductorServer.ListedFile;
import weir.feature.kubernetes.ConductorServer.Op;
import weir.feature.kubernetes.KubernetesCheck.UserCall;
import weir.feature.kubernetes.PodSets.PodSet;
import weir.host.HostUnavailable;
import weir.io.Io;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.RecordKeys;
import weir.results.RunFolder;
import weir.run.PreflightException;
import weir.run.RunOptions;
import weir.run.lab.OtherHosts.HostStarter;
import weir.run.lab.ProcessLab;

/** A run in Kubernetes pods. A user starts the run outside of the cluster; its conductor is a pod. */
public final class InPods implements Conductor {
    private static final String UNWATCHED =
            "has no effect on a run in pods; remove it, and read the report after the run";
    private static final Path CACHE = Path.of(".cache/weir");

    /** A file for the conductor, below its home; not sent if the file {@code unless} exists in the image. */
    private record Sent(Path file, String path, String unless) {}

    private record Outcome(int exit, Path folder) {}

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
        try (PodHosts pods = new PodHosts(
                experiment,
                run(),
                ApiServer.client(),
                line -> launcher.command().getErr().println("  " + line))) {
            Experiment placed = pods.placed(variable(RunObjects.ADDRESS) + ":" + RunObjects.PORT);
            return launcher.conduct(placed, launcher.options(), notes -> ProcessLab.open(pods, notes));
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
        RunObjects objects = RunObjects.now(experiment.name(), experiment, text, arguments);
        RunIdentity run = objects.run();
        command.getErr().println("in Kubernetes, namespace " + run.namespace() + ": " + run.name());
        String build = ProgramFiles.build(WeirVersion.number());
        try (KubernetesRun outside = new KubernetesRun(ApiServer.configured(), objects, build, printed -> {
                    command.getErr().print(printed);
                    command.getErr().flush();
                });
                SignalHandler interrupts = new SignalHandler(outside::interrupt)) {
            Outcome outcome = outside.conduct(jars(command, experiment), options.root());
            if (outcome.folder().toString().isEmpty()) {
                return interrupts.exit(outcome.exit());
            }
            RunFolder folder = RunFolder.open(outcome.folder());
            return launcher.show(folder, folder::concluded, interrupts.exit(outcome.exit()));
        }
    }

    private static List<Sent> jars(CommandLine command, Experiment experiment) {
        List<Sent> sent = new ArrayList<>();
        experiment.variants().stream()
                .filter(variant -> variant.load().target() == LoadSpec.Target.CLUSTER)
                .map(variant -> variant.cluster().kafka())
                .filter(version -> !version.isEmpty())
                .distinct()
                .forEach(version -> jars(command, version, sent));
        return sent;
    }

    private static void jars(CommandLine command, String version, List<Sent> sent) {
        Release release = Release.fetch(version, what -> command.getErr().println("  " + what));
        List<String> paths = new ArrayList<>();
        Path list = Release.list(CACHE, version);
        for (Path jar : release.classpath()) {
            Path path = list.resolveSibling(jar.getFileName());
            sent.add(new Sent(jar, path.toString(), list.toString()));
            paths.add(RunObjects.HOME + "/" + path);
        }
        Io.attempt("listing the jars of Kafka " + version, () -> {
            Path written = Files.createTempFile("weir-classpath-", "");
            written.toFile().deleteOnExit();
            sent.add(new Sent(Files.write(written, paths), list.toString(), list.toString()));
        });
    }

    /**
     * A run whose conductor is in a pod, controlled from outside of the cluster. This class creates the pod, sends
     * files, shows the progress, fetches the results and deletes all objects.
     */
    private static final class KubernetesRun implements AutoCloseable {
        private static final Duration ANSWERING = Duration.ofSeconds(10);

        private final KubernetesClient client;
        private final RunObjects objects;
        private final String build;
        private final Consumer<String> printed;
        private volatile boolean stops;

        /** Opens the run. The image must contain this {@code build}; {@code printed} receives the run's output. */
        KubernetesRun(Config config, RunObjects objects, String build, Consumer<String> printed) {
            this.client = new KubernetesClientBuilder().withConfig(config).build();
            this.objects = objects;
            this.build = build;
            this.printed = printed;
        }

        private RunIdentity run() {
            return objects.run();
        }

        /** Ends the run early. Weir still fetches its measurements. Callable from another thread. */
        void interrupt() {
            stops = true;
        }

        /**
         * Runs to the end; returns after all objects are deleted.
         *
         * @throws HostUnavailable with one line if the run cannot be started
         */
        Outcome conduct(List<Sent> files, Path runs) {
            try {
                ApiServer.ask(client, ANSWERING);
                // Kubernetes lets only users with every right of the Role create the Role.
                List<String> missing = UserCall.missing(UserCall.ofRuns(), client, run().namespace());
                if (!missing.isEmpty()) {
                    throw new HostUnavailable(UserCall.refusal(missing, run().namespace()) + "; " + UserCall.ADVICE);
                }
                RunObjects owned = objects.created(client);
                try {
                    return conduct(files, runs, owned);
                } finally {
                    if (!RunObjects.delete(client, run())) {
                        note("run '" + run().name()
                                + "' left objects behind; delete them: weir doctor --on kubernetes --clean");
                    }
                }
            } catch (KubernetesClientException e) {
                throw new HostUnavailable("Kubernetes: " + ApiServer.reason(e));
            }
        }

        private Outcome conduct(List<Sent> files, Path runs, RunObjects owned) {
            for (HasMetadata object : owned.owned(true)) {
                client.resource(object).create();
            }
            try (ForwardedConductor conductor = new ForwardedConductor(client, run(), () -> stops, this::note)) {
                refuseAnotherBuild(conductor
                        .ask(ConductorServer.ConductorInfo.class, Op.ABOUT)
                        .build());
                files.stream().collect(Collectors.groupingBy(Sent::unless)).forEach((unless, some) -> {
                    if (!conductor.ask(Boolean.class, Op.HAS, unless)) {
                        some.forEach(sent -> send(conductor, sent));
                    }
                });
                conductor.ask(String.class, Op.START);
                int exit = follow(conductor);
                Path folder = fetch(conductor, runs);
                conductor.ask(String.class, Op.DONE);
                return new Outcome(exit, folder);
            }
        }

        private void refuseAnotherBuild(String theirs) {
            if (!ProgramFiles.sameBuild(build, theirs)) {
                throw new HostUnavailable("the image '"
                        + RunObjects.placed(objects.experiment()).image() + "' contains weir " + theirs + " instead of "
                        + build
                        + "; use the same version, in a new image or on this machine");
            }
        }

        private static void send(ForwardedConductor conductor, Sent sent) {
            long size = sent.file().toFile().length();
            long at = 0;
            do {
                long from = at;
                at = conductor.ask(asked -> asked.put(sent.file(), from, sent.path()));
            } while (at < size);
        }

        private int follow(ForwardedConductor conductor) {
            long from = 0;
            boolean stopSent = false;
            while (true) {
                if (stops && !stopSent) {
                    stopSent = true;
                    conductor.ask(String.class, Op.STOP);
                }
                ConductorServer.Progress progress = conductor.ask(ConductorServer.Progress.class, Op.PROGRESS, from);
                if (!progress.text().isEmpty()) {
                    printed.accept(progress.text());
                }
                from = progress.until();
                if (progress.exit() >= 0) {
                    return progress.exit();
                }
            }
        }

        private static Path fetch(ForwardedConductor conductor, Path runs) {
            Path folder = Path.of("");
            for (ListedFile listed : conductor.ask(ListedFile[].class, Op.FOLDER)) {
                Path below = Path.of("runs").relativize(Path.of(listed.path())).normalize();
                if (below.startsWith("..") || below.isAbsolute()) {
                    throw new HostUnavailable(
                            "the conductor listed '" + listed.path() + "', which is not a file of a run");
                }
                if (below.getNameCount() > 1) {
                    folder = runs.resolve(below.getName(0));
                }
                Path file = runs.resolve(below);
                conductor.ask(asked -> asked.fetch(listed, file));
            }
            return folder;
        }

        private void note(String line) {
            printed.accept("  " + line + "\n");
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** The pods that a run's conductor creates. They are hosts on which an agent already runs. */
    static final class PodHosts implements HostStarter, AutoCloseable {
        private static final Duration STARTING = Duration.ofSeconds(50);

        private final ConductorApi api;
        private final RunIdentity run;
        private final Experiment experiment;
        private final PodSets sets;
        private final Consumer<String> notes;
        private boolean made;

        /**
         * Prepares the creation of an experiment's pods.
         *
         * @param notes receives problems that do not make the run fail
         * @throws HostUnavailable if the objects of the run do not exist in Kubernetes
         */
        PodHosts(Experiment experiment, RunIdentity run, KubernetesClient client, Consumer<String> notes) {
            this.api = new ConductorApi(client, run);
            this.experiment = experiment;
            this.sets = PodSets.of(experiment);
            this.notes = notes;
            try {
                this.run = api.owned();
            } catch (KubernetesClientException e) {
                api.close();
                throw new HostUnavailable("Kubernetes: " + ApiServer.reason(e));
            }
        }

        public Experiment placed(String address) {
            return experiment.with(variant -> {
                Map<String, PlacedSpec> placed = new HashMap<>();
                sets.byVariant()
                        .getOrDefault(variant.name(), Map.of())
                        .forEach((path, set) -> placed.put(
                                path,
                                new PlacedSpec.Hosts(set.hosts(run), address, PlacedSpec.Start.POD, List.of("pod"))));
                return RecordKeys.with(variant, placed);
            });
        }

        @Override
        public synchronized void start(List<String> names, String conductor, Path token) {
            try {
                if (!made) {
                    made = true;
                    int pods = sets.all().stream().mapToInt(PodSet::pods).sum();
                    notes.accept("starting " + pods + (pods == 1 ? " pod" : " pods"));
                    api.fillToken(Files.readString(token, StandardCharsets.UTF_8));
                    new RunObjects(run, experiment, "", List.of())
                            .hosts(conductor)
                            .forEach(api::make);
                }
                api.await(names, STARTING, () -> false);
            } catch (KubernetesClientException e) {
                throw new HostUnavailable("Kubernetes refused the pods of the run: " + ApiServer.reason(e));
            } catch (IOException e) {
                throw new UncheckedIOException("reading " + token, e);
            }
        }

        @Override
        public String lossReason(String name) {
            return api.lossReason(name);
        }

        @Override
        public void close() {
            try {
                if (made) {
                    sets.all().forEach(api::delete);
                }
            } catch (KubernetesClientException e) {
                notes.accept("the pods of the run were not deleted: " + ApiServer.reason(e)
                        + "; Kubernetes deletes them with the run");
            } finally {
                api.close();
            }
        }
    }
}
