package weir.judge.caveat;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.judge.ProbeSeries;
import weir.judge.RateRule;
import weir.judge.TrialFiles;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Ledger;
import weir.measure.Steps;
import weir.plan.LoadSpec;
import weir.plan.property.Property;
import weir.plan.syntax.CaveatType;
import weir.results.PlannedTrial;
import weir.results.value.CatchUpResult;
import weir.results.value.Caveat;
import weir.results.value.DisturbanceResult;
import weir.results.value.Event;
import weir.results.value.HostFacts;
import weir.results.value.StepResult;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/** The caveats of one trial, from the files of its folder. */
public final class TrialCaveats {
    static final CaveatType CLEAN_UP_FAILED = CaveatType.named("clean-up-failed");
    static final CaveatType PARTITIONS_ADDED = CaveatType.named("partitions-added");
    public static final CaveatType BROKERS_COUNT_DIFFERS = CaveatType.named("brokers-count-differs");
    static final CaveatType PROXY_ON_THE_PATH = CaveatType.named("proxy-on-the-path");
    static final CaveatType FAULT_MISSED = CaveatType.named("fault-missed");

    private static final double MIB = 1 << 20;

    private final TrialFiles files;
    private final PlannedTrial plan;
    private final TrialConditions conditions;
    private final TrialEnd end;
    private final TrialEnd.Measured measured;
    private final TrialResult result;
    private final CaveatCollector caveats;
    private final List<HostReadings> hosts;

    private TrialCaveats(TrialFiles files, TrialResult result) {
        this.files = files;
        plan = files.plan();
        conditions = files.conditions();
        end = files.end();
        measured = end.measured();
        this.result = result;
        caveats = new CaveatCollector(result.trial());
        hosts = HostReadings.of(files.readings(), conditions.hosts(), plan.processes());
    }

    public static List<Caveat> of(TrialFiles files, TrialResult result) {
        TrialCaveats of = new TrialCaveats(files, result);
        of.end();
        if (!result.steps().isEmpty()) {
            of.generator();
            of.load();
            of.shareGroup();
            of.properties();
            of.machine();
        }
        Features.each(FeatureCaveats.class).forEach(caveats -> caveats.ofTrial(files, result, of.caveats));
        return of.caveats.found();
    }

    private void end() {
        events(event -> event.name().equals(Event.LEFT)).forEach(event -> caveats.add(CLEAN_UP_FAILED, event.text()));
        CaveatType.ALL.stream()
                .filter(type -> !type.event().isEmpty())
                .forEach(type -> events(event -> event.name().endsWith(type.event()))
                        .forEach(event -> caveats.add(type, event.name(), event.second(), event.text())));
        events(event -> event.text().startsWith(Ledger.ADDED))
                .forEach(event -> caveats.add(PARTITIONS_ADDED, event.second(), event.text()));
        LoadCaveats load = new LoadCaveats(caveats);
        if (result.figures().nothing()) {
            load.nothing(result.seconds(), files.of(Steps.WARMUP).count(Count.RECEIVED_DURING));
        }
        if (measured.balance() == null) {
            load.killed(end.stopReason());
        } else if (!end.stopReason().isEmpty()) {
            load.interrupted(end.stopReason());
        }
    }

    private List<Event> events(Predicate<Event> which) {
        return files.folder().events().stream().filter(which).toList();
    }

    private void generator() {
        GeneratorCaveats generator = new GeneratorCaveats(caveats);
        if (plan.offered()) {
            generator.late(result.steps());
            result.steps()
                    .forEach(step -> generator.late(
                            step,
                            measured.workers().stream()
                                    .filter(worker -> worker.step() == step.step())
                                    .toList(),
                            this::where));
            generator.rate(result.steps());
            for (StepResult step : result.steps()) {
                HostReadings stillest = worst(host -> mean(host, step, "standstill.percent"));
                generator.standstill(step, stillest.where(), mean(stillest, step, "standstill.percent"));
                HostReadings last = worst(host -> mean(host, step, "behind.own.percent"));
                generator.behind(
                        step, last.where(), mean(last, step, "behind.percent"), mean(last, step, "behind.own.percent"));
            }
        }
        HostReadings collecting = worst(host -> host.highest("gc.pause.longest.ms", result.steps()));
        HostReadings pausing = worst(host -> host.highest("safepoint.longest.ms", result.steps()));
        generator.pauses(
                collecting.where(),
                collecting.highest("gc.pause.longest.ms", result.steps()),
                pausing.where(),
                pausing.highest("safepoint.longest.ms", result.steps()),
                result.steps());
        // Each machine has its own limit: idle cores of other machines do not help.
        HostReadings busiest = worst(host -> cores(host) / host.host().processors());
        generator.cpu(busiest.where(), cores(busiest), busiest.host().processors());
        @Nullable Double ceiling = result.generator().ceilingPerSecond();
        if (ceiling != null) {
            generator.ceiling(
                    result.mostAckedPerSecond(),
                    ceiling,
                    mean("generator", "cpu.cores"),
                    result.figures().late());
        }
    }

    private static double mean(HostReadings host, StepResult step, String metric) {
        return host.ofWorker(metric, step.from(), step.to());
    }

    private double cores(HostReadings host) {
        return host.ofWorkers("cpu.cores", measured.from(), measured.to());
    }

    private HostReadings worst(ToDoubleFunction<HostReadings> value) {
        return hosts.stream()
                .filter(HostReadings::loads)
                .filter(host -> !Double.isNaN(value.applyAsDouble(host)))
                .max(Comparator.comparingDouble(value))
                .orElse(hosts.get(0));
    }

    private String where(int worker) {
        return hosts.stream()
                .filter(host -> host.host().workers().contains(worker))
                .map(HostReadings::where)
                .findFirst()
                .orElse("");
    }

    private void load() {
        LoadCaveats load = new LoadCaveats(caveats);
        Balance balance = measured.balance();
        if (balance != null) {
            load.balance(balance);
            counted(balance);
        }
        if (!end.warmUp().settled()) {
            load.warmUpCutShort(end.warmUp().seconds());
        }
        if (conditions.firstOfMany()) {
            load.cold(end.warmUp().seconds());
        }
        // A catch-up changes throughput and latency by design.
        if (plan.level() && !plan.disturbed() && result.catchUp() == null) {
            // At an excessive rate, latency grows all the time, and a missed rate already has a caveat.
            double[] latency = RateRule.sustained(RateRule.achieved(result.figures()))
                    ? files.series().latency(measured.from(), measured.to())
                    : new double[0];
            load.drift(
                    Drift.ofThroughput(files.series().throughput(measured.from(), measured.to())),
                    Drift.ofLatency(latency));
        }
        if (plan.offered()) {
            load.earlier(
                    result.figures(),
                    files.series().earlier(Steps.MEASURE, measured.from(), measured.to(), Count.ACKED),
                    files.series().earlier(Steps.MEASURE, measured.from(), measured.to(), Count.RECEIVED));
        }
        load.thin(result.figures());
        load.failed(result);
        load.throttled(DoubleStream.of(
                        max("client", "producer.produce-throttle-time-avg"),
                        max("client", "consumer.fetch-throttle-time-avg"))
                .filter(Double::isFinite)
                .max()
                .orElse(0));
    }

    private void shareGroup() {
        Balance balance = measured.balance();
        if (balance == null || balance.of(Count.ACQUIRED) == Balance.UNKNOWN) {
            return;
        }
        ShareGroupCaveats share = new ShareGroupCaveats(caveats, end.properties());
        share.balance(balance);
        share.locks(
                meanOfSums("share.locked"),
                meanOfSums("share.locked.per.partition"),
                mean("client", "share.waiting.percent"),
                mean("readers", "lag.records"));
    }

    private double meanOfSums(String metric) {
        return files.readings().meanOfSums("client", metric, measured.from(), measured.to());
    }

    private void counted(Balance balance) {
        if (measured.atomicity() == null || !measured.atomicity().transactional()) {
            long duplicated = Math.max(0, balance.of(Count.DUPLICATED));
            BrokerCount.of(files.readings(), () -> files.from(Steps.FILL)).stream()
                    .filter(count -> count.differs(duplicated))
                    .forEach(count -> caveats.add(BROKERS_COUNT_DIFFERS, count.text()));
        }
    }

    private void properties() {
        PropertyCaveats of = new PropertyCaveats(caveats, end.properties());
        of.overridden();
        of.ignored();
        of.topicCompression();
        of.compression(plan.sameValue(), mean("client", "producer.compression-rate-avg"));
        if (!conditions.forwarders().isEmpty()) {
            caveats.add(PROXY_ON_THE_PATH, String.join("; ", conditions.forwarders()));
        }
    }

    private void machine() {
        MachineCaveats machine = new MachineCaveats(caveats);
        machine.clock(end.clocks().wallMillis(), end.clocks().steadyMillis());
        hosts.stream().filter(HostReadings::loads).forEach(host -> sharedCores(machine, host));
        List<Integer> here = conditions.here().brokers();
        double until = unstressed();
        hosts.forEach(host -> noise(machine, host, host.host().here() ? until : measured.to()));
        result.disturbances().forEach(machine::stress);
        result.disturbances().stream()
                .filter(DisturbanceResult::missed)
                .forEach(disturbance -> caveats.add(FAULT_MISSED, disturbance.name(), disturbance.what()));
        if (!here.isEmpty() && plan.target() == LoadSpec.Target.CLUSTER) {
            machine.tmpfs(conditions.filesystem());
            machine.writeback(conditions.unlimitedWriteback());
            if (logged() && !flushed(end.properties())) {
                machine.pageCache(
                        (double) files.from(Steps.FILL).bytesAcked(),
                        mean("host", "memory.available.mib") * MIB,
                        mean("host", "disk.write.mib.per.s"));
            }
            if (plan.workload() == LoadSpec.Workload.CONSUME) {
                reads(machine, files.from(Steps.MEASURE).bytesReceived() / MIB, measured.to() - measured.from());
            }
            CatchUpResult catchUp = result.catchUp();
            if (catchUp != null && catchUp.mebibytesPerSecond() != null) {
                reads(machine, catchUp.mebibytesPerSecond() * catchUp.seconds(), catchUp.seconds());
            }
        }
    }

    private void sharedCores(MachineCaveats machine, HostReadings host) {
        boolean here = host.host().here();
        int brokers = here ? plan.sharing() : host.host().brokers().size();
        boolean sink = here && plan.target() == LoadSpec.Target.NULL;
        if (sink || brokers > 0) {
            machine.sharedCores(
                    sink ? "the null target" : brokers == 1 ? "1 broker" : brokers + " brokers",
                    host.host().processors(),
                    host.where(),
                    host.ofMachine("cpu.busy.percent", measured.from(), measured.to()),
                    used(host, "cpu.cores", measured.to()),
                    host.ofWorker("cgroup.cpu.weight", measured.from(), measured.to()));
        }
    }

    private double unstressed() {
        return result.disturbances().stream()
                .filter(disturbance -> disturbance.stress() != null)
                .mapToDouble(disturbance -> disturbance.from() - 1)
                .reduce(measured.to(), Math::min);
    }

    private void noise(MachineCaveats machine, HostReadings host, double until) {
        machine.steal(host.where(), host.ofMachine("cpu.steal.percent", measured.from(), measured.to()));
        machine.memoryPressure(host.where(), host.ofMachine("psi.memory.some.percent", measured.from(), until));
        double ours = used(host, "cpu.user.cores", until);
        ours += host.host().here() ? besideTheLoad(until) : ofOthers(host.host(), until);
        int cores = host.host().processors();
        machine.others(
                host.where(), host.ofMachine("cpu.user.percent", measured.from(), until) / 100 * cores, ours, cores);
    }

    private double used(HostReadings host, String metric, double until) {
        double used = host.loads() ? host.ofWorkers(metric, measured.from(), until) : 0;
        for (int broker : host.host().brokers()) {
            used += mean("broker-" + broker, metric, until);
        }
        return used;
    }

    private double besideTheLoad(double until) {
        double ours = mean("conductor", "cpu.user.cores", until);
        for (String process : Stream.concat(Stream.of("controller", "zookeeper"), ProbeSeries.BRIDGES.stream())
                .toList()) {
            double cores = files.readings().meanOfSums(process, "cpu.user.cores", measured.from(), until);
            ours += Double.isNaN(cores) ? 0 : cores;
        }
        // The processes of other machines are included.
        for (HostFacts host : conditions.hosts()) {
            ours -= host.here() ? 0 : ofOthers(host, until);
        }
        return ours;
    }

    private double ofOthers(HostFacts host, double until) {
        return host.others().stream()
                .mapToDouble(other -> mean(other, "cpu.user.cores", until))
                .filter(cores -> !Double.isNaN(cores))
                .sum();
    }

    /** Checks a backlog in MiB, read in {@code seconds} from the start of the measured phase. */
    private void reads(MachineCaveats machine, double read, double seconds) {
        boolean cold = plan.cold();
        double fromDisk = seconds
                * files.readings().mean("host", "disk.read.mib.per.s", measured.from(), measured.from() + seconds);
        double resident =
                files.readings().max(MachineCaveats.PAGE_CACHE, MachineCaveats.RESIDENT, 0, measured.to()) / 100;
        machine.cacheAsAsked(cold, resident, read, fromDisk);
        if (!cold) {
            machine.readCache(read, fromDisk);
        }
    }

    private boolean logged() {
        return result.settings().getOrDefault("bridge.path", "kafka-").startsWith("kafka-");
    }

    private static boolean flushed(List<Property> properties) {
        return properties.stream()
                .anyMatch(property -> property.name().equals("flush.messages")
                        && property.effective().equals("1"));
    }

    private double max(String source, String metric) {
        return files.readings().max(source, metric, measured.from(), measured.to());
    }

    private double mean(String source, String metric) {
        return mean(source, metric, measured.to());
    }

    private double mean(String source, String metric, double until) {
        return files.readings().mean(source, metric, measured.from(), until);
    }

    /**
     * The readings of one machine of a trial and its workers.
     *
     * @param workers the sources of the workers' readings; one source for all workers of a single machine
     * @param where the machine, as a suffix in sentences; empty for a single machine
     */
    public record HostReadings(
            ProbeSeries readings, HostFacts host, List<String> workers, int processes, String where) {
        public static final String GENERATOR = "generator";

        public HostReadings {
            workers = List.copyOf(workers);
        }

        public static List<HostReadings> of(ProbeSeries readings, List<HostFacts> hosts, int processes) {
            return hosts.stream()
                    .map(host -> hosts.size() > 1
                            ? new HostReadings(
                                    readings,
                                    host,
                                    host.workers().stream()
                                            .map(worker -> source(worker, processes))
                                            .toList(),
                                    host.workers().size(),
                                    host.here() ? " here" : " on " + host.name())
                            : new HostReadings(readings, host, List.of(GENERATOR), processes, ""))
                    .toList();
        }

        private static String source(int worker, int processes) {
            return processes == 1 ? GENERATOR : GENERATOR + "-" + (worker + 1);
        }

        boolean loads() {
            return processes > 0;
        }

        double ofWorker(String metric, double from, double to) {
            return workers.stream()
                    .mapToDouble(worker -> readings.mean(worker, metric, from, to))
                    .filter(Double::isFinite)
                    .average()
                    .orElse(Double.NaN);
        }

        double ofWorkers(String metric, double from, double to) {
            return processes * ofWorker(metric, from, to);
        }

        /** Returns the maximum within steps, because garbage collection in pauses affects no figure. */
        double highest(String metric, List<StepResult> steps) {
            return steps.stream()
                    .mapToDouble(step -> highest(metric, step.from(), step.to() - 0.5))
                    .filter(Double::isFinite)
                    .max()
                    .orElse(Double.NaN);
        }

        public double highest(String metric, double from, double to) {
            return workers.stream()
                    .mapToDouble(worker -> readings.max(worker, metric, from, to))
                    .filter(Double::isFinite)
                    .max()
                    .orElse(Double.NaN);
        }

        public double ofMachine(String metric, double from, double to) {
            return readings.mean(host.source(), metric, from, to);
        }
    }

    /** The limits of a share group that kept records from its readers. */
    record ShareGroupCaveats(CaveatCollector caveats, List<Property> properties) {
        static final CaveatType SHARE_GROUP_LIMITED = CaveatType.named("share-group-limited");

        /** The readers hold less for a moment between two polls. */
        private static final double MOST = 0.8;

        private static final double MUCH_WAITING = 25;

        ShareGroupCaveats {
            properties = List.copyOf(properties);
        }

        /**
         * Names the limit of locks if readers wait although records are available.
         *
         * @param perPartition the mean number of locked records of a partition, as the readers know it; NaN if unknown
         * @param waiting percent of the readers' time
         * @param uncompleted the mean number of records that the group has not completed
         */
        void locks(double locked, double perPartition, double waiting, double uncompleted) {
            String limit = limit("share.partition.max.record.locks");
            boolean binds = !limit.isEmpty()
                    && perPartition >= MOST * Long.parseLong(limit)
                    && waiting >= MUCH_WAITING
                    && uncompleted >= 2 * locked;
            caveats.addIf(binds, "locks", SHARE_GROUP_LIMITED, perPartition, limit, waiting, uncompleted);
        }

        void balance(Balance balance) {
            long expired = balance.of(Count.LOCK_EXPIRED);
            caveats.addIf(
                    expired > 0, "duration", SHARE_GROUP_LIMITED, expired, limit("share.record.lock.duration.ms"));
            long undelivered = balance.of(Count.ARCHIVED) - balance.of(Count.REJECTED);
            caveats.addIf(
                    undelivered > 0,
                    "deliveries",
                    SHARE_GROUP_LIMITED,
                    undelivered,
                    limit("share.delivery.count.limit"));
        }

        private String limit(String name) {
            return Property.effective(properties, "group", name).stream()
                    .findFirst()
                    .orElse("");
        }
    }
}
