package weir.feature.advice;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cli.DoctorOutput;
import weir.cli.FormattedCommand;
import weir.cli.PlaceCheck;
import weir.cli.RunsFolderOption;
import weir.cluster.admin.LeftoverResources;
import weir.feature.Features;
import weir.host.Children;
import weir.host.FreeDiskSpace;
import weir.host.Journal;
import weir.measure.Canary;
import weir.pace.Pacer;
import weir.probe.CanaryBenchmarks;
import weir.probe.Finding;
import weir.probe.MachineCheck;
import weir.probe.MachineSample;
import weir.results.Machine;
import weir.results.RunFolder;
import weir.results.UnreadableRunException;
import weir.run.Exit;
import weir.time.MachineClock;

/** The {@code weir doctor} command, which checks this machine for measurements and finds leftovers of killed runs. */
@Command(
        name = "doctor",
        header = "Check this machine before measuring, and find leftovers of killed runs.",
        footer = "Example: weir" + " doctor",
        description = {
            "Exit codes: 0 if the machine is fit for measuring, 3 if a finding makes every number wrong.",
            "With --brokers, the command gives advice for this broker host or for the cluster of"
                    + " --bootstrap-server. Each finding names its rule, the source of the rule, and the gain."
                    + " Exit code 3 then means that a broker is at risk."
        })
public final class DoctorCommand extends FormattedCommand implements Callable<Integer> {
    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--clean",
            description = "Check nothing, and delete the leftovers of killed runs: processes, folders, topics, "
                    + "empty runs and objects in Kubernetes.")
    private boolean clean;

    @Option(
            names = "--brokers",
            description = "Check this machine and its Kafka processes as a broker host. With --bootstrap-server, "
                    + "check the brokers, topics and state of that cluster. The check changes nothing.")
    private boolean brokers;

    @Option(
            names = "--on",
            paramLabel = "PLACE",
            description = "Check kubernetes instead of this machine: the rights, capacity, image and clocks for a "
                    + "run. The check creates all pods of a run and deletes them again.")
    private String on = "";

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "With --on: override a key of FILE, such as kubernetes.image=NAME. Repeatable.")
    private List<String> set = List.of();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "With --on: the experiment file. The check creates its pods (default: that of weir quick).")
    private Path file = Path.of("");

    @Override
    public Integer call() throws IOException {
        if (brokers) {
            return brokers();
        }
        if (!clean && !connection.cluster().isEmpty()) {
            throw wrong("--bootstrap-server requires --brokers or --clean");
        }
        if (!on.isEmpty()) {
            return elsewhere().check(command(), format, file, set, clean);
        }
        if (!set.isEmpty() || !file.toString().isEmpty()) {
            throw wrong("FILE and --set require --on kubernetes");
        }
        LeftoverCleanup remnants = LeftoverCleanup.find(Journal.state(), runs.path());
        return clean ? clean(remnants) : examine(remnants);
    }

    private PlaceCheck elsewhere() {
        List<PlaceCheck> places = Features.each(PlaceCheck.class);
        return places.stream()
                .filter(place -> place.place().equals(on))
                .findFirst()
                .orElseThrow(() -> wrong("--on: '" + on + "' is not a known place; known places: "
                        + places.stream().map(PlaceCheck::place).collect(Collectors.joining(", "))));
    }

    private int brokers() throws IOException {
        if (!on.isEmpty() || !set.isEmpty() || !file.toString().isEmpty()) {
            throw wrong("--brokers cannot be combined with --on, --set or FILE; remove them, and run weir on the "
                    + "host of the broker or with --bootstrap-server");
        }
        if (clean || !runs.typed().isEmpty()) {
            throw wrong("--brokers cannot be combined with --clean or --runs; remove --brokers, or --clean and --runs");
        }
        return BrokersDoctor.call(command(), format, connection);
    }

    private int examine(LeftoverCleanup remnants) {
        Path folder = FreeDiskSpace.existing(runs.path());
        List<Canary> canaries;
        List<Finding> findings;
        try {
            canaries = CanaryBenchmarks.run(folder);
            MachineCheck bench = MachineSample.at(folder, canaries, new Pacer(MachineClock.STEADY)::await);
            findings = new ArrayList<>(bench.findings());
            findings.add(children());
            findings.add(
                    CanaryHistory.of(RunFolder.list(runs.path()), bench.facts()).finding(canaries));
        } catch (IOException e) {
            throw new UncheckedIOException("checking this machine", e);
        }
        if (Thread.currentThread().isInterrupted()) {
            return Exit.INTERRUPTED.code();
        }
        return DoctorOutput.examined(
                command(),
                format,
                findings,
                Map.of("canaries", canaries),
                remnants.leftovers(),
                "weir doctor --clean" + runs.typed());
    }

    private static Finding children() {
        try (Journal journal = Journal.open();
                Children children = Children.open(journal)) {
            List<String> caveats = children.caveats();
            return caveats.isEmpty()
                    ? new Finding("children end with weir", "yes", Finding.Verdict.FINE, "even if weir is killed", "")
                    : new Finding(
                            "children end with weir",
                            "not always",
                            Finding.Verdict.DOUBT,
                            String.join("; ", caveats),
                            "apt-get install util-linux");
        }
    }

    private int clean(LeftoverCleanup remnants) {
        List<DoctorOutput.Leftover> leftovers = remnants.leftovers();
        if (!format.json()) {
            DoctorOutput.left(out(), leftovers, "");
        }
        Journal.Cleared cleared = remnants.clean(
                connection.cluster(),
                bootstrap -> LeftoverResources.on(
                        CommandLineCluster.connect(command(), connection.with(bootstrap, connection.commandConfig()))));
        return DoctorOutput.cleaned(
                command(), format, Map.of("left", leftovers), leftovers.isEmpty(), cleared.done(), cleared.failed());
    }

    record CanaryHistory(int runs, List<Canary> canaries) {
        private static final int RUNS = 10;
        private static final int LOOKED_AT = 50;

        static CanaryHistory of(List<RunFolder> folders, Map<String, String> facts) {
            List<Canary> canaries = new ArrayList<>();
            int runs = 0;
            for (RunFolder folder : folders.subList(0, Math.min(LOOKED_AT, folders.size()))) {
                List<Canary> sung = runs < RUNS ? canaries(folder, facts) : List.of();
                canaries.addAll(sung);
                runs += sung.isEmpty() ? 0 : 1;
            }
            return new CanaryHistory(runs, canaries);
        }

        private static List<Canary> canaries(RunFolder folder, Map<String, String> facts) {
            try {
                Map<String, String> then = folder.machine().facts();
                boolean same =
                        Machine.LASTING.stream().allMatch(fact -> Objects.equals(then.get(fact), facts.get(fact)));
                return same
                        ? Stream.concat(folder.canaries().before().stream(), folder.canaries().after().stream())
                                .toList()
                        : List.of();
            } catch (UnreadableRunException e) {
                // The command weir runs names the unreadable run and the reason; this comparison skips it.
                return List.of();
            }
        }

        Finding finding(List<Canary> now) {
            String name = "against earlier runs here";
            if (runs == 0) {
                return new Finding(
                        name, "", Finding.Verdict.UNKNOWN, "no earlier run on this machine to compare with", "");
            }
            List<String> changed = now.stream()
                    .map(this::change)
                    .filter(text -> !text.isEmpty())
                    .toList();
            String figure = "of " + runs + (runs == 1 ? " run" : " runs");
            return changed.isEmpty()
                    ? new Finding(name, figure, Finding.Verdict.FINE, "the machine is as fast as before", "")
                    : new Finding(
                            name,
                            figure,
                            Finding.Verdict.DOUBT,
                            "the idle speed of the machine changed: " + String.join("; ", changed),
                            "look for other load, and do not compare with earlier runs");
        }

        private String change(Canary now) {
            DoubleSummaryStatistics then = canaries.stream()
                    .filter(canary ->
                            canary.name().equals(now.name()) && canary.unit().equals(now.unit()))
                    .mapToDouble(Canary::median)
                    .summaryStatistics();
            boolean less = now.median() * (1 + now.least()) < then.getMin();
            boolean more = now.median() > then.getMax() * (1 + now.least());
            return then.getCount() > 0 && (less || more)
                    ? String.format(
                            Locale.ROOT,
                            "%s %.3g %s, then %.3g to %.3g",
                            now.name(),
                            now.median(),
                            now.unit(),
                            then.getMin(),
                            then.getMax())
                    : "";
        }
    }
}
