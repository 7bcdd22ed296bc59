package weir.feature.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import weir.cli.BundledExperiments;
import weir.cli.CliCommand;
import weir.cli.DoctorOutput;
import weir.cli.FormatOption;
import weir.cli.GeneratedExperiment;
import weir.cli.Main;
import weir.cli.PlaceCheck;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.cluster.release.Release;
import weir.feature.Feature;
import weir.feature.hosts.ProgramFiles;
import weir.feature.kubernetes.ConductorApi.LeaseRenewal;
import weir.host.HomeFolders;
import weir.host.JavaRuntime;
import weir.host.Journal;
import weir.plan.Experiment;
import weir.plan.Limits;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.check.VariantCheck;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.Findings;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.ShellWord;
import weir.probe.Finding;

/** Runs in Kubernetes pods. A user starts a run outside of the cluster; the conductor is a pod. */
public final class KubernetesFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(ConductCommand.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(new InPods(), new KubernetesChecks(), new KubernetesDoctor());
    }

    @Command(
            name = "conduct",
            hidden = true,
            header = "Run an experiment in a pod, and keep the results until a client fetches them.",
            description = "'weir run' outside of Kubernetes creates a pod that runs this command.")
    static final class ConductCommand extends CliCommand implements Callable<Integer> {
        private static final Duration HELD = Duration.ofMinutes(30);

        @Option(names = "--wait", description = "Wait until a client has sent all files and the request to begin.")
        private boolean waits;

        @Parameters(paramLabel = "ARGUMENT", description = "The arguments of weir run, after --.")
        private List<String> arguments = List.of();

        @Override
        public Integer call() throws IOException, InterruptedException {
            Path home = Path.of(HomeFolders.ofThisUser().home());
            own(HomeFolders.ofThisUser().cache());
            String build = ProgramFiles.build(WeirVersion.number());
            LeaseRenewal lease = new LeaseRenewal(new ConductorApi(ApiServer.client(), InPods.run()), err()::println);
            try (ConductorServer server = new ConductorServer(home, ConductorServer.PORT, build, this::start);
                    SignalHandler signals = new SignalHandler(server::end)) {
                if (!waits) {
                    server.start();
                }
                return signals.exit(server.await(HELD));
            } finally {
                lease.close();
            }
        }

        private static void own(Path cache) throws IOException {
            Path kafkas = Path.of(System.getProperty("java.class.path"))
                    .toAbsolutePath()
                    .resolveSibling("../kafka")
                    .normalize();
            if (!Files.isDirectory(kafkas)) {
                return;
            }
            try (Stream<Path> releases = Files.list(kafkas)) {
                for (Path release : releases.toList()) {
                    try (Stream<Path> jars = Files.list(release)) {
                        new Release(
                                        String.valueOf(release.getFileName()),
                                        jars.sorted().toList())
                                .keep(cache);
                    }
                }
            }
        }

        private Process start(Path log) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    JavaRuntime.own().launcher().toString(),
                    "-Xmx512m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "run"));
            command.addAll(arguments);
            err().println("weir run " + String.join(" ", arguments));
            // The client prints the answer from the fetched folder.
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(log.toFile())
                    .start();
        }
    }

    static final class KubernetesChecks implements VariantCheck {
        private record Pods(LayeredExperiment.LayeredVariant laid, String path, PlacedSpec.Kubernetes placed) {}

        @Override
        public void check(ProblemSpot spot, Variant variant) {
            image(spot, variant);
            limits(
                    spot,
                    "bridge.gateway",
                    variant.bridge().placed(),
                    variant.bridge().within());
            limits(
                    spot,
                    "cluster",
                    variant.cluster().placed(),
                    variant.cluster().within());
            variant.during().forEach((name, each) -> limits(spot, "during." + name, each.placed(), each.within()));
            limits(spot, "load", variant.load().placed(), variant.load().within());
            data(spot, variant);
        }

        @Override
        public void together(List<LayeredExperiment.LayeredVariant> all, Findings findings) {
            List<Pods> pods = all.stream()
                    .flatMap(laid -> laid.variant().places().entrySet().stream()
                            .filter(each -> each.getValue().inPods())
                            .map(each -> new Pods(laid, each.getKey(), (PlacedSpec.Kubernetes) each.getValue())))
                    .toList();
            if (pods.isEmpty()) {
                return;
            }
            Pods first = pods.get(0);
            for (LayeredExperiment.LayeredVariant laid : all) {
                laid.variant().places().forEach((path, placed) -> {
                    if (placed instanceof PlacedSpec.Hosts) {
                        new ProblemSpot(laid.tree(), findings)
                                .wrong(
                                        path,
                                        "runs on hosts, but " + first.path()
                                                + " runs in pods, which hosts cannot reach; place both on hosts, or "
                                                + "move this part to kubernetes or here");
                    }
                });
            }
            for (Pods other : pods) {
                same(findings, "namespace", PlacedSpec.Kubernetes::namespace, first, other);
                same(findings, "image", PlacedSpec.Kubernetes::image, first, other);
            }
        }

        private static void same(
                Findings findings, String key, Function<PlacedSpec.Kubernetes, String> of, Pods first, Pods other) {
            String value = of.apply(first.placed());
            String another = of.apply(other.placed());
            if (!another.equals(value) && !another.isEmpty() && !value.isEmpty()) {
                new ProblemSpot(other.laid().tree(), findings)
                        .wrong(
                                "kubernetes." + key,
                                "'" + another + "' differs from '" + value + "' in variant '"
                                        + first.laid().variant().name()
                                        + "', but all variants of a run must have the same; write the same in both");
            }
        }

        private static void image(ProblemSpot spot, Variant variant) {
            if (!spot.sound("kubernetes")) {
                return;
            }
            variant.places().forEach((path, placed) -> {
                if (placed instanceof PlacedSpec.Kubernetes pods && pods.image().isEmpty()) {
                    spot.wrong(
                            path,
                            "has no image with Weir; write kubernetes: { image: registry.example.com/weir:0.1.0 }");
                }
            });
        }

        private static void limits(ProblemSpot spot, String part, PlacedSpec placed, Limits within) {
            if (placed.inPods() && within.ioPerSecond().bytes() > 0) {
                spot.wrong(
                        part + ".within.io",
                        "Kubernetes cannot limit the disk traffic of a pod; remove the key, or run it on hosts");
            }
            if (placed.inPods() && !within.cpus().isEmpty()) {
                spot.wrong(
                        part + ".within.cpus",
                        "Kubernetes cannot pin a pod to cores; write cpu: "
                                + within.cpus().size() + ", or run it on hosts");
            }
        }

        private static void data(ProblemSpot spot, Variant variant) {
            boolean data = variant.cluster().brokers().stream()
                    .anyMatch(broker -> !broker.data().toString().isEmpty());
            if (data && variant.cluster().placed().inPods()) {
                spot.wrong(
                        "cluster.brokers",
                        "brokers in pods keep their data on a volume of kubernetes.storage, or on the disk of the node;"
                                + " remove the key data of each broker");
            }
        }
    }

    /** The check of Kubernetes by {@code weir doctor}, which creates the pods of a run as a test and reports findings. */
    static final class KubernetesDoctor implements PlaceCheck {
        private static final String PLACE = "kubernetes";
        private static final String EXAMPLE = "01-hello";

        @Override
        public String place() {
            return PLACE;
        }

        @Override
        public int check(CommandLine command, FormatOption format, Path file, List<String> set, boolean cleans)
                throws IOException {
            try (GeneratedExperiment written = new GeneratedExperiment()) {
                Path read = file;
                if (file.toString().isEmpty()) {
                    read = written.folder().resolve(EXAMPLE + ".yaml");
                    Files.writeString(read, BundledExperiments.text(EXAMPLE));
                }
                List<String> all = new ArrayList<>(List.of("placed=" + PLACE));
                if (cleans) {
                    // This setting creates no pod.
                    all.add("kubernetes.image=none");
                }
                all.addAll(set);
                Experiment experiment = PlanReader.read(read, new Overrides(all, List.of(), "", "", List.of(), false));
                if (!experiment.inPods()) {
                    throw new ParameterException(
                            command, "'" + file + "' places nothing in pods; remove placed: here from a section");
                }
                String text = Files.readString(read);
                RunObjects objects = RunObjects.now("check", experiment, text, List.of());
                String build = ProgramFiles.build(WeirVersion.number());
                try (KubernetesCheck check =
                                new KubernetesCheck(ApiServer.configured(), objects, build, KubernetesCheck.TIMEOUT);
                        SignalHandler interrupts = new SignalHandler(check::interrupt)) {
                    return interrupts.exit(
                            cleans
                                    ? clean(command, format, check)
                                    : examine(
                                            command,
                                            format,
                                            check,
                                            objects.run().namespace(),
                                            typed(file, set)));
                }
            }
        }

        private static String typed(Path file, List<String> set) {
            return "weir doctor --on kubernetes --clean"
                    + (file.toString().isEmpty() ? "" : " " + ShellWord.of(file.toString()))
                    + set.stream().map(value -> " --set " + ShellWord.of(value)).collect(Collectors.joining());
        }

        private static int examine(
                CommandLine command, FormatOption format, KubernetesCheck check, String namespace, String typed) {
            List<KubernetesCheck.RemainingRun> remains = check.remains();
            command.getErr().println("creating the pods of a run in namespace '" + namespace + "' as a test");
            List<Finding> findings = new ArrayList<>(check.findings());
            remains.stream()
                    .filter(KubernetesCheck.RemainingRun::lives)
                    .map(each -> new Finding(
                            "run " + each.name(),
                            "lives",
                            Finding.Verdict.DOUBT,
                            each.sign(),
                            "two runs disturb each other; wait until this run ends"))
                    .forEach(findings::add);
            return DoctorOutput.examined(command, format, findings, Map.of(), leftovers(remains, namespace), typed);
        }

        private static List<DoctorOutput.Leftover> leftovers(
                List<KubernetesCheck.RemainingRun> remains, String namespace) {
            return remains.stream()
                    .filter(each -> !each.lives())
                    .map(each -> new DoctorOutput.Leftover(
                            "run",
                            each.name() + ", " + each.sign(),
                            each.byHand()
                                    ? "was applied by hand; delete it with: kubectl --namespace " + namespace
                                            + " delete "
                                            + KubernetesCheck.KINDS + " --selector app.kubernetes.io/instance="
                                            + each.name()
                                    : "--clean deletes it"))
                    .toList();
        }

        private static int clean(CommandLine command, FormatOption format, KubernetesCheck check) {
            Journal.Cleared cleaned = check.clean();
            boolean nothing = cleaned.done().isEmpty() && cleaned.failed().isEmpty();
            return DoctorOutput.cleaned(command, format, Map.of(), nothing, cleaned.done(), cleaned.failed());
        }
    }
}
