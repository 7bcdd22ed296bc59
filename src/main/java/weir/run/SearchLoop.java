package weir.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.io.Io;
import weir.judge.caveat.Promises;
import weir.judge.trial.JudgedTrial;
import weir.judge.trial.TrialJudge;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.plan.read.Hash;
import weir.plan.trial.ExtraTrials;
import weir.plan.trial.Trial;
import weir.plan.trial.Trials;
import weir.probe.MachineFacts;
import weir.results.Machine;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.TrialWriter;
import weir.results.UnreadableRunException;
import weir.results.UnwritableDisk;
import weir.results.value.CatchUpResult;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.GeneratorResult;
import weir.results.value.HostFacts;
import weir.results.value.SearchResults;
import weir.results.value.TrialEnd;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;
import weir.search.FixedTrials;
import weir.search.Search;
import weir.worker.WorkerFailed;

/**
 * The main loop of a run: the trials of adaptive searches first, then the listed trials. It ends after the last trial,
 * at an interrupt, at the time limit, or with a failed trial.
 */
final class SearchLoop {
    private final RunContext run;
    private final Experiment experiment;
    private final RunFolder folder;
    private final RunListeners listeners;
    private final Clusters clusters;
    private final BooleanSupplier over;
    private final Consumer<List<Caveat>> caveats;
    private final int planned;
    private final RunFacts facts;
    private final GeneratorCeilings ceilings;
    private final FixedTrials list;
    private final Search profiled;
    private final List<JudgedTrial> judged = new ArrayList<>();
    private final List<Exit> exits = new ArrayList<>();
    private SearchResults found = SearchResults.NONE;
    private volatile @Nullable TrialRun running;
    private volatile boolean interrupted;

    SearchLoop(RunContext run, Clusters clusters, BooleanSupplier over, Consumer<List<Caveat>> caveats) {
        this.run = run;
        this.experiment = run.experiment();
        this.folder = run.folder();
        this.listeners = run.listeners();
        this.clusters = clusters;
        this.over = over;
        this.caveats = caveats;
        List<Trial> trials = Trials.of(experiment);
        planned = trials.size();
        facts = new RunFacts(folder, experiment);
        ceilings = new GeneratorCeilings(run, () -> interrupted);
        list = new FixedTrials(experiment, trials, () -> found.capacities());
        profiled =
                new FixedTrials(experiment, ExtraTrials.all(extra -> extra.of(experiment)), () -> found.capacities());
    }

    void interrupt() {
        interrupted = true;
        TrialRun now = running;
        if (now != null) {
            now.stop("interrupted");
        }
    }

    boolean run() {
        return searchAdaptively() && conduct(list) && conduct(profiled);
    }

    RunSummary summary() {
        return new RunSummary(experiment, folder, judged, found, list.found());
    }

    List<Exit> exits() {
        return List.copyOf(exits);
    }

    private boolean searchAdaptively() {
        found = folder.found();
        Map<Integer, List<Caveat>> earlier = new HashMap<>();
        folder.searched().forEach(trial -> earlier.put(trial.started().trial(), trial.caveats()));
        for (SearchSpec asked : experiment.adaptive()) {
            for (Variant variant : experiment.searched(asked)) {
                double to = Preflight.searchesTo(asked, run.options(), variant);
                AdaptiveSearch search = new AdaptiveSearches(
                                found, earlier, run.lab()::nanos, Preflight.takes(experiment))
                        .of(asked, variant, to);
                // A search has an answer even if its time is up at once.
                found = found.with(search.result());
                boolean whole = conduct(search);
                if (variant.clusterChanged()) {
                    clusters.end();
                }
                caveats.accept(search.caveats());
                if (!whole) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean conduct(Search search) {
        Search.Next next = search.next();
        try {
            while (next instanceof Search.Next.Run trial) {
                if (over.getAsBoolean() || !carry(trial, search)) {
                    return false;
                }
                next = search.next();
            }
        } finally {
            // A search must not disturb later trials.
            run.lab().closeWarmWorker();
        }
        if (next instanceof Search.Next.Stuck stuck) {
            listeners.note(stuck.why());
            exits.add(Exit.INVALID);
            return false;
        }
        return true;
    }

    private boolean carry(Search.Next.Run next, Search search) {
        Trial trial = next.trial();
        Optional<JudgedTrial> before = done(trial);
        if (before.isPresent()) {
            keep(before.get(), trial, search);
            return true;
        }
        try {
            if (trial.isWarmUp()) {
                listeners.each(listener -> listener.warmsUp(trial, next.rate()));
            } else if (trial.searches()) {
                listeners.each(listener -> listener.tries(trial, next.rate(), next.why()));
            }
            JudgedTrial carried = conducted(trial, next.limits());
            // A part of a search trial shows nothing about its rate, and a profile is always repeated.
            if (carried == null || (carried.interrupted() && !trial.answers() && !trial.isWarmUp())) {
                return false;
            }
            keep(carried, trial, search);
            if (trial.answers()) {
                listeners.each(listener -> listener.trialDone(carried.result()));
            }
            return true;
        } catch (RuntimeException e) {
            failed(trial, e);
            if (trial.answers()) {
                keepUnfinished(trial, search);
            }
            return false;
        }
    }

    private @Nullable JudgedTrial conducted(Trial trial, List<Expectation> limits) {
        GeneratorResult ceiling = ceilings.of(trial.variant());
        listeners.each(listener -> listener.trial(trial, trial.answers() ? planned : 0));
        try (TrialWriter writer = folder.trial(trial, run.lab().wall())) {
            boolean warm = clusters.running(trial.variant());
            Cluster cluster = clusters.of(trial.variant(), writer.brokerLogs());
            listeners.each(listener -> listener.brokers(trial, cluster::brokers));
            TrialRun conducted = new TrialRun(run, trial, cluster, writer);
            running = conducted;
            if (interrupted) {
                return null;
            }
            TrialEnd end = conducted.conduct(ceiling, limits, firstOfMany(trial, warm));
            running = null;
            if (!trial.profiled()) {
                facts.take(trial, cluster, conducted.hosts(), end);
            }
            return finish(end, writer);
        } finally {
            running = null;
            clusters.release();
        }
    }

    private boolean firstOfMany(Trial trial, boolean warm) {
        boolean shared = trial.variant().cluster().startedByWeir()
                && !trial.variant().cluster().freshEachTrial();
        // A search measures the effect of a cold start itself.
        boolean last = !trial.answers() || trial.number() == planned;
        return shared && !warm && !last;
    }

    private JudgedTrial finish(TrialEnd end, TrialWriter writer) {
        TrialJudge judge = new TrialJudge(writer.end(end));
        JudgedTrial judged = judge.judged();
        judge.spectrum(writer);
        CatchUpResult catchUp = judged.result().catchUp();
        if (catchUp != null && catchUp.reached()) {
            double second = end.measured().from() + catchUp.seconds();
            writer.event(new Event(second, "caught up", "the readers caught up with the producers"));
        }
        writer.finish(judged.result(), judged.caveats());
        judged.result().figures().violations().forEach(listeners::note);
        return judged;
    }

    private Optional<JudgedTrial> done(Trial trial) {
        return (trial.profiled() ? folder.profiled() : folder.trials())
                .stream()
                        .filter(earlier ->
                                !trial.searches() && earlier.started().trial() == trial.number() && earlier.finished())
                        .map(JudgedTrial::of)
                        .filter(earlier -> !earlier.interrupted())
                        .findFirst();
    }

    private void keep(JudgedTrial carried, Trial trial, Search search) {
        exits.add(Promises.kept(carried.folder(), carried.result()) ? Exit.FINE : Exit.BROKEN_PROMISE);
        if (trial.answers()) {
            judged.add(carried);
            caveats.accept(carried.caveats());
        }
        search.add(carried).ifPresent(answer -> {
            found = found.with(answer);
            folder.found(found);
            listeners.each(listener ->
                    listener.tried(trial, answer.tried().get(answer.tried().size() - 1)));
        });
    }

    private void keepUnfinished(Trial trial, Search search) {
        for (TrialFolder begun : folder.trials()) {
            if (begun.started().trial() == trial.number() && !begun.finished() && measured(begun)) {
                keep(JudgedTrial.of(begun), trial, search);
            }
        }
    }

    /** True if a second is readable: on a full disk, even the first second may be incomplete. */
    private static boolean measured(TrialFolder trial) {
        try {
            return !trial.windows().isEmpty();
        } catch (UnreadableRunException cut) {
            return false;
        }
    }

    private void failed(Trial trial, RuntimeException e) {
        boolean nothing = Stream.concat(folder.trials().stream(), folder.searched().stream())
                .noneMatch(SearchLoop::measured);
        Optional<String> unwritable = UnwritableDisk.reason(e);
        // The message of a dead worker contains the reason and the path of its log.
        String traced = unwritable.isEmpty() && !(e instanceof WorkerFailed) ? trace(e) : "";
        WorkerFailed.Kind kind = e instanceof WorkerFailed failed ? failed.kind() : WorkerFailed.Kind.FAULT;
        if (judged.isEmpty() && nothing && kind != WorkerFailed.Kind.FENCED) {
            throw kind == WorkerFailed.Kind.UNFIT ? new PreflightException(String.valueOf(e.getMessage())) : e;
        }
        listeners.note(
                (trial.searches() ? "a search" : (trial.profiled() ? "profile " : "trial ") + trial.id()) + " failed: "
                        + run.secrets().text(String.valueOf(e.getMessage()))
                        + unwritable.map(why -> ": " + why).orElse("")
                        + traced);
        exits.add(Exit.of(e, !trial.variant().during().isEmpty()));
    }

    private String trace(RuntimeException failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        try {
            folder.failed(run.secrets().text(trace.toString()));
            return " (trace: " + folder.failure() + ")";
        } catch (UncheckedIOException e) {
            return " (its trace could not be written: "
                    + UnwritableDisk.reason(e).orElseThrow(() -> e) + ")";
        }
    }

    /** The facts of the machine, the cluster and the clients. Each trial adds facts and writes all facts again. */
    static final class RunFacts {
        static final String HASH = "sha256 of ";

        private final RunFolder folder;
        private final Map<String, String> facts = new LinkedHashMap<>();
        private final Map<String, List<Property>> properties = new LinkedHashMap<>();
        private final Map<String, HostFacts> hosts = new LinkedHashMap<>();

        RunFacts(RunFolder folder, Experiment experiment) {
            this.folder = folder;
            Machine before = folder.machine();
            facts.putAll(before.facts());
            properties.putAll(before.properties());
            before.hosts().forEach(host -> hosts.put(host.name(), host));
            facts.putAll(now(folder, experiment));
        }

        /** The current machine, and the files of the load, whose content is part of the load. */
        static SortedMap<String, String> now(RunFolder folder, Experiment experiment) {
            SortedMap<String, String> facts = Io.attempt(
                    "reading the facts of this machine", () -> new TreeMap<>(MachineFacts.of(folder.path())));
            for (Variant variant : experiment.variants()) {
                List<Path> files = new ArrayList<>(variant.cluster().classpath());
                if (variant.load().rate() instanceof RateSpec.Replay replay) {
                    files.add(replay.file());
                }
                files.removeIf(file -> !Files.isRegularFile(file));
                files.forEach(file ->
                        facts.put(HASH + file.getFileName(), Io.attempt("reading " + file, () -> Hash.of(file))));
            }
            return facts;
        }

        static HostFacts here(int workers, List<Integer> brokers, List<String> others) {
            return new HostFacts(
                    HostFacts.HERE,
                    MachineFacts.name(),
                    Runtime.getRuntime().availableProcessors(),
                    MachineFacts.memoryBytes(),
                    System.getProperty("os.name") + " " + System.getProperty("os.version"),
                    System.getProperty("java.version"),
                    IntStream.range(0, workers).boxed().toList(),
                    brokers,
                    others);
        }

        void take(Trial trial, Cluster cluster, List<HostFacts> machines, TrialEnd end) {
            machines.forEach(host -> hosts.put(host.name(), host));
            facts.put("kafka", cluster.version());
            end.generator().jvm().forEach((name, value) -> facts.put("generator." + name, value));
            facts.putAll(cluster.facts());
            properties.put(trial.variant().name(), end.properties());
            folder.machine(new Machine(facts, properties, hosts.size() > 1 ? List.copyOf(hosts.values()) : List.of()));
        }
    }
}
