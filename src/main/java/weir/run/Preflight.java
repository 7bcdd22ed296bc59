package weir.run;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import weir.cluster.ClientJars;
import weir.cluster.Cluster;
import weir.cluster.admin.Coordinators;
import weir.cluster.admin.PlanValidation;
import weir.cluster.release.Release;
import weir.cluster.start.ExternalCluster;
import weir.cluster.start.RefusedProperties;
import weir.feature.Features;
import weir.host.FreeDiskSpace;
import weir.host.HomeFolders;
import weir.host.MachineResources;
import weir.io.Io;
import weir.plan.ClusterSpec;
import weir.plan.EnumNames;
import weir.plan.Experiment;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Setting;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.check.EngineChecks;
import weir.plan.trial.Demand;
import weir.plan.trial.Estimate;
import weir.plan.trial.ExtraTrials;
import weir.plan.trial.FixedRateVariant;
import weir.run.disturbance.DisturbanceKind;
import weir.run.lab.GivenMetrics;
import weir.worker.RefusedPayload;

/** The checks that find all foreseeable errors before a measurement. */
public final class Preflight {
    private static final int FEW_AT_A_TIME = 64;

    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

    private final Experiment experiment;
    private final Set<Problem> problems = new LinkedHashSet<>();
    private final Set<String> lines = new LinkedHashSet<>();

    Preflight(Experiment experiment) {
        this.experiment = experiment;
    }

    /**
     * Checks all conditions for a run; returns remarks on releases of Kafka if the run can start.
     *
     * @throws Problems if the plan names something that does not exist
     * @throws PreflightException if this machine or the external cluster cannot run it
     */
    public static List<String> check(Experiment experiment, RunOptions options) {
        Preflight flight = new Preflight(experiment);
        flight.plan(options);
        flight.machine(Estimate.of(experiment), options);
        flight.given(ExternalCluster::connect, PlanValidation::refused, Coordinators::missing);
        return releases(experiment).stream()
                .flatMap(release -> Release.remarks(release).stream())
                .toList();
    }

    static List<String> releases(Experiment experiment) {
        return experiment.variants().stream()
                .filter(variant ->
                        variant.cluster().startedByWeir() && variant.load().target() == LoadSpec.Target.CLUSTER)
                .map(variant -> variant.cluster().kafka())
                .distinct()
                .toList();
    }

    public static List<String> askedOfOperators(Experiment experiment) {
        List<String> remarks = new ArrayList<>();
        for (Variant variant : experiment.variants()) {
            List<Setting> asked = variant.settings().values().stream()
                    .filter(setting -> !setting.askedOfOperator().isEmpty())
                    .toList();
            if (!asked.isEmpty()) {
                remarks.add("variant '" + variant.name() + "' needs properties that Weir cannot set on this cluster; "
                        + asked.get(0).origin() + " asks the operator of the cluster for "
                        + asked.stream()
                                .map(setting -> setting.askedOfOperator() + ": " + setting.value())
                                .collect(Collectors.joining(", "))
                        + " (weir presets with --bootstrap-server lists the properties that are missing)");
            }
        }
        return remarks;
    }

    void plan(RunOptions options) {
        problems.addAll(ExtraTrials.all(extra -> extra.problems(experiment)));
        problems.addAll(experiment.missing());
        for (Variant variant : experiment.variants()) {
            ClientJars.use(variant.cluster().classpath());
        }
        experiment.capacities().forEach(search -> capacity(search, options));
        int before = problems.size();
        for (Variant variant : experiment.variants()) {
            classes(variant, "cluster.client", variant.cluster().client());
            classes(variant, "load.producer", variant.load().producers().properties());
            classes(variant, "load.consumer", variant.load().consumers().properties());
        }
        if (problems.size() == before) {
            experiment.variants().forEach(variant -> problems.addAll(refused(variant)));
        }
        payloads();
        for (SearchSpec search : experiment.adaptive()) {
            if (!(search instanceof SearchSpec.Capacity)) {
                experiment
                        .searched(search)
                        .forEach(variant -> Features.search(search)
                                .preflight(search, variant, searchesTo(search, options, variant), this));
            }
        }
        if (!problems.isEmpty()) {
            throw new Problems(List.copyOf(problems));
        }
    }

    private void found(Variant variant, String path, String problem) {
        problems.add(experiment.places().problem(variant, path, problem));
    }

    public void found(String path, String problem) {
        problems.add(experiment.places().problem(path, problem));
    }

    private void classes(Variant variant, String map, SortedMap<String, String> properties) {
        ClientJars.missing(properties).forEach(missing -> problems.add(problem(variant, map + "." + missing)));
    }

    /** The problem of a text with a path and a reason, such as {@code load.key.column: has no value}. */
    private Problem problem(Variant variant, String text) {
        String[] pathAndReason = text.split(": ", 2);
        return experiment.places().problem(variant, pathAndReason[0], pathAndReason[1]);
    }

    public static boolean onExternalCluster(Variant variant) {
        return !variant.cluster().startedByWeir() && variant.load().target() == LoadSpec.Target.CLUSTER;
    }

    public static String above(double rate, double most) {
        return String.format(Locale.ROOT, "%,.0f/s is above the highest allowed rate, which is %,.0f/s", rate, most);
    }

    static Predicate<Variant> takes(Experiment experiment) {
        return variant -> new Preflight(experiment).refused(variant).isEmpty()
                && EngineChecks.refused(variant).isEmpty();
    }

    public boolean takes(Variant variant) {
        return takes(experiment).test(variant);
    }

    /** Returns the problems for which clients on this machine would reject a variant's properties. */
    public Set<Problem> refused(Variant variant) {
        Preflight flight = new Preflight(experiment);
        flight.clients(variant);
        return flight.problems;
    }

    private void clients(Variant variant) {
        LoadSpec load = variant.load();
        SortedMap<String, String> client = variant.cluster().client();
        LoadSpec.Workload workload = load.workload();
        boolean transactional = !load.transaction().none();
        if (load.producers().engine() == LoadSpec.Engine.CLIENT && workload != LoadSpec.Workload.CONSUME) {
            RefusedProperties.ofProducer(client, load.producers().properties(), transactional)
                    .ifPresent(problem -> found(variant, "load.producer", problem));
        }
        variant.bridge()
                .clients()
                .forEach((path, own) -> (path.endsWith("producer")
                                ? RefusedProperties.ofProducer(client, own, false)
                                : RefusedProperties.ofConsumer(client, own))
                        .ifPresent(problem -> found(variant, path, problem)));
        if (!variant.bridge().none()) {
            Features.bridge(variant.bridge())
                    .refused(variant)
                    .forEach((path, problem) -> found(variant, path, problem));
        }
        boolean reads = workload != LoadSpec.Workload.PRODUCE && workload != LoadSpec.Workload.WRITE;
        if (load.consumers().engine() == LoadSpec.Engine.CLIENT && reads) {
            refused(client, load.consumers()).ifPresent(problem -> found(variant, "load.consumer", problem));
        }
    }

    private static Optional<String> refused(SortedMap<String, String> client, LoadSpec.Consumers readers) {
        GroupSpec group = readers.group();
        if (group.shares()) {
            return RefusedProperties.ofShareConsumer(client, readers.properties(), EnumNames.of(group.acknowledge()));
        }
        SortedMap<String, String> consumer = new TreeMap<>(readers.properties());
        if (group.named()) {
            consumer.put("group.protocol", group.protocol().name());
        }
        return RefusedProperties.ofConsumer(client, consumer);
    }

    private void payloads() {
        Set<LoadSpec.Messages> read = new HashSet<>();
        for (Variant variant : experiment.variants()) {
            if (read.add(variant.load().messages())) {
                RefusedPayload.of(variant.load().messages(), experiment.folder())
                        .ifPresent(problem -> problems.add(problem(variant, problem)));
            }
        }
    }

    interface CoordinatorCheck {
        String reason(Cluster cluster, Coordinators.Kind kind, String key);
    }

    void given(
            Function<ClusterSpec, Cluster> connect,
            BiFunction<Cluster, Map<String, TopicSpec>, SortedMap<String, String>> refused,
            CoordinatorCheck uncoordinated) {
        Map<ClusterSpec, Cluster> connected = new HashMap<>();
        Set<String> looked = new HashSet<>();
        for (Variant variant : experiment.variants()) {
            if (onExternalCluster(variant)) {
                Cluster cluster = connected.computeIfAbsent(variant.cluster(), connect);
                if (variant.load().consumers().group().shares()) {
                    PlanValidation.withoutShareGroups(cluster)
                            .ifPresent(problem -> line(variant, "load.group.protocol", problem));
                }
                timeout(cluster, variant).ifPresent(problem -> line(variant, "load.producer", problem));
                refused.apply(cluster, variant.topics())
                        .forEach((topic, problem) -> line(variant, "topics." + topic, problem));
                variant.during()
                        .forEach((name, what) -> Features.each(DisturbanceKind.class).stream()
                                .filter(kind -> kind.asked().isInstance(what))
                                .flatMap(kind -> kind.refused(what, variant, cluster).stream())
                                .forEach(problem -> line(variant, "during." + name, problem)));
                Coordinators.needed(variant.load()).forEach((kind, key) -> {
                    String why = looked.add(kind + cluster.bootstrap()) ? uncoordinated.reason(cluster, kind, key) : "";
                    if (!why.isEmpty()) {
                        lines.add(why);
                    }
                });
            }
        }
        Map<Cluster, SortedMap<String, String>> read = new HashMap<>();
        for (Variant variant : experiment.variants()) {
            Cluster cluster = connected.get(variant.cluster());
            if (cluster != null && !variant.cluster().metrics().isEmpty()) {
                read.computeIfAbsent(cluster, at -> {
                            SortedMap<String, String> unread = new TreeMap<>();
                            Features.each(GivenMetrics.class)
                                    .forEach(given -> unread.putAll(
                                            given.refused(variant.cluster().metrics(), at.addresses())));
                            return unread;
                        })
                        .values()
                        .forEach(problem -> line(variant, "cluster.metrics", problem));
            }
            if (!variant.bridge().none()) {
                Features.bridge(variant.bridge())
                        .unreachable(variant)
                        .forEach((path, problem) -> line(variant, path, problem));
            }
            RefusedPayload.unusable(variant.load())
                    .ifPresent(problem -> lines.add(problem(variant, problem).text()));
            taken(variant.load().listen()).ifPresent(problem -> line(variant, "load.listen", problem));
        }
        throwLines();
    }

    private void line(Variant variant, String path, String problem) {
        lines.add(experiment.places().problem(variant, path, problem).text());
    }

    private void throwLines() {
        if (!lines.isEmpty()) {
            throw new PreflightException(List.copyOf(lines));
        }
    }

    private static Optional<String> timeout(Cluster cluster, Variant variant) {
        String asked = variant.load().producers().properties().get("transaction.timeout.ms");
        if (asked == null
                || asked.contains("${")
                || variant.load().transaction().none()) {
            return Optional.empty();
        }
        OptionalLong most = PlanValidation.transactionTimeoutMillis(cluster);
        return most.isPresent() && Long.parseLong(asked.strip()) > most.getAsLong()
                ? Optional.of("transaction.timeout.ms: must be at most transaction.max.timeout.ms of the brokers, "
                        + most.getAsLong() + ", found '" + asked + "'")
                : Optional.empty();
    }

    private static Optional<String> taken(String listen) {
        int colon = listen.lastIndexOf(':');
        if (colon < 0) {
            return Optional.empty();
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(
                    new InetSocketAddress(listen.substring(0, colon), Integer.parseInt(listen.substring(colon + 1))));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("'" + listen + "' cannot be used: " + e.getMessage() + "; stop the program that listens"
                    + " there, or remove this key to use a free port on loopback");
        }
    }

    /** Protects an external cluster from a search, which raises the load until something breaks. */
    private void capacity(SearchSpec.Capacity search, RunOptions options) {
        for (Variant variant : experiment.searched(search)) {
            double from = variant.load().senders().operations(search.from(), false);
            double most = searchesTo(search, options, variant);
            if (onExternalCluster(variant) && Double.isInfinite(most)) {
                found(
                        "search.capacity.to",
                        "a search on a cluster that Weir did not start requires an upper bound of the rate; write"
                                + " capacity: { to: 50k/s } or --max-rate 50k/s");
                return;
            }
            if (from > most) {
                found("search.capacity.from", above(from, most));
                return;
            }
        }
    }

    /** The highest operations per second of a search; infinite without a limit. */
    static double searchesTo(SearchSpec search, RunOptions options, Variant variant) {
        double to = variant.load().senders().operations(search.to(), false);
        double most = options.maxRate() / Demand.records(variant);
        return Math.min(to > 0 ? to : Double.POSITIVE_INFINITY, most > 0 ? most : Double.POSITIVE_INFINITY);
    }

    void machine(Estimate estimate, RunOptions options) {
        Path root = FreeDiskSpace.existing(options.root());
        FreeDiskSpace room = FreeDiskSpace.behind(root);
        if (estimate.files() > room.usable()) {
            lines.add("the files of the run may take " + MachineNeeds.size(estimate.files()) + ", and the disk of "
                    + room.folder()
                    + " has "
                    + MachineNeeds.size(Math.max(0, room.usable()))
                    + " free above its reserve of 5 %; free some space there, or choose another folder with --runs");
        }
        experiment.variants().forEach(variant -> split(variant.cluster(), options));
        experiment.variants().forEach(variant -> droppable(variant, root));
        experiment.variants().forEach(variant -> {
            boolean together = variant.cluster().data().toString().isEmpty();
            long disk = estimate.largest() + (together ? estimate.files() : 0);
            lines.addAll(new MachineNeeds(variant, "", MachineResources.here(root)).missing(disk));
        });
        for (Variant variant : experiment.variants()) {
            if (!variant.cluster().startedByWeir() && !experiment.onlySearched(variant)) {
                bounded(FixedRateVariant.atMost(experiment, variant), options);
            }
        }
        throwLines();
    }

    /** Refuses a folder name that Kafka or Java would split. */
    private void split(ClusterSpec cluster, RunOptions options) {
        if (cluster.here() && cluster.data().toString().isEmpty()) {
            ClusterSpec.split(options.root().toAbsolutePath())
                    .ifPresent(why -> lines.add(why + ", with --runs or with cluster.data"));
        }
        Path cache = HomeFolders.ofThisUser().cache();
        if (cluster.here() && cache.toString().contains(File.pathSeparator)) {
            lines.add("'" + cache + "' has a '" + File.pathSeparator
                    + "', which separates entries of a Java class path; set XDG_CACHE_HOME to a folder without it");
        }
    }

    /** Refuses to drop the page cache of a file system in memory, because no disk has a copy. */
    private void droppable(Variant variant, Path root) {
        boolean drops = variant.load().backlog().cold() || !variant.before().isEmpty();
        ClusterSpec cluster = variant.cluster();
        if (!drops || !cluster.here()) {
            return;
        }
        Path data = cluster.data().toString().isEmpty() ? root : FreeDiskSpace.existing(cluster.data());
        Io.attempt("reading the type of the file system of " + data, () -> {
            String type = Files.getFileStore(data).type();
            if (MEMORY.contains(type)) {
                lines.add("variant '" + variant.name() + "': "
                        + (variant.before().isEmpty() ? "load.backlog with cache: cold" : "before: [drop caches]")
                        + " requires broker data on a disk, but " + data + " is on a file system of type " + type
                        + "; set cluster.data to a folder on a disk");
            }
        });
    }

    /**
     * True for a load that cannot overload an external cluster. It has a limited number of operations and few in
     * flight, so a slow cluster slows the load.
     */
    private static boolean harmless(Variant variant) {
        return variant.load().rate() instanceof RateSpec.AtATime loop
                && (long) loop.operations() * variant.load().producers().count() <= FEW_AT_A_TIME
                && variant.measure().counted()
                && (loop.operations() == 1
                        || variant.warmup().counted()
                        || variant.warmup().none());
    }

    private void bounded(Variant variant, RunOptions options) {
        double highest = highestOfAll(variant);
        boolean closed = Double.isInfinite(highest);
        String what = "";
        if (closed && options.maxRate() == 0 && !harmless(variant)) {
            what = "is a closed loop, which requires a rate limit on a given cluster; write a rate, as in --set"
                    + " load.rate=10000/s, or a limit, as in --max-rate 10000/s";
        } else if (!closed && options.maxRate() > 0 && highest > options.maxRate()) {
            what = String.format(Locale.ROOT, "reaches %,.0f/s, above --max-rate %,.0f/s", highest, options.maxRate());
        }
        if (!what.isEmpty()) {
            line(variant, "load.rate", "of variant '" + variant.name() + "' " + what);
        }
    }

    static double highest(Experiment experiment, RunOptions options, Variant variant) {
        double highest =
                experiment.onlySearched(variant) ? 0 : highestOfAll(FixedRateVariant.atMost(experiment, variant));
        for (SearchSpec search : experiment.adaptive()) {
            if (experiment.searched(search).contains(variant)) {
                highest = Math.max(highest, searchesTo(search, options, variant) * Demand.records(variant));
            }
        }
        return highest;
    }

    /** The highest records per second of a variant, with the loads that its disturbances add. */
    private static double highestOfAll(Variant variant) {
        return highest(variant)
                + variant.furtherLoads().stream()
                        .mapToDouble(Preflight::highest)
                        .sum();
    }

    static double highest(Variant variant) {
        if (variant.load().workload() == LoadSpec.Workload.CONSUME) {
            return 0;
        }
        // Rates count operations, an operation of write is a record for each topic, and a value has at least one byte.
        RateSpec.Senders senders =
                new RateSpec.Senders(variant.load().producers().count(), 1);
        return variant.load().rate().highest(senders) * Demand.records(variant);
    }
}
