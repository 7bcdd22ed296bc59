package weir.judge.caveat;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.judge.RateRule;
import weir.judge.TrialFiles;
import weir.measure.Count;
import weir.measure.Drift;
import weir.measure.Steps;
import weir.plan.CaveatType;
import weir.plan.LoadSpec;
import weir.plan.property.Property;
import weir.results.PlannedTrial;
import weir.results.value.CatchUpResult;
import weir.results.value.Caveat;
import weir.results.value.DisturbanceResult;
import weir.results.value.Event;
import weir.results.value.StepResult;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/** Every reason to doubt one trial, by the files of its folder. */
public final class TrialCaveats {
    private static final double MIB = 1 << 20;

    private final TrialFiles files;
    private final PlannedTrial plan;
    private final TrialConditions conditions;
    private final TrialEnd end;
    private final TrialEnd.Measured measured;
    private final TrialResult result;
    private final CaveatCollector caveats;

    private TrialCaveats(TrialFiles files, TrialResult result) {
        this.files = files;
        plan = files.plan();
        conditions = files.conditions();
        end = files.end();
        measured = end.measured();
        this.result = result;
        caveats = new CaveatCollector(result.trial());
    }

    public static List<Caveat> of(TrialFiles files, TrialResult result) {
        TrialCaveats of = new TrialCaveats(files, result);
        of.end();
        if (!result.steps().isEmpty()) {
            of.generator();
            of.load();
            of.properties();
            new WayCaveats(of.caveats, files.readings()).add();
            of.machine();
        }
        return of.caveats.found();
    }

    /** How the trial came to its end, and what it left behind. */
    private void end() {
        files.folder().events().stream()
                .filter(event -> event.name().equals(Event.LEFT))
                .forEach(event -> caveats.add(CaveatType.CLEAN_UP_FAILED, "%s", event.text()));
        files.folder().events().stream()
                .filter(event -> event.name().endsWith(Event.ENDED))
                .forEach(event -> caveats.add(
                        CaveatType.BRIDGE_DIED, "%s at %.1f s: %s", event.name(), event.second(), event.text()));
        LoadCaveats load = new LoadCaveats(caveats);
        if (measured.balance() == null) {
            load.killed(end.stopReason());
        } else if (!end.stopReason().isEmpty()) {
            load.interrupted(end.stopReason());
        }
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
                                    .toList()));
            generator.rate(result.steps());
            for (StepResult step : result.steps()) {
                generator.standstill(step, mean(step, "standstill.percent"));
                generator.behind(step, mean(step, "behind.percent"), mean(step, "behind.own.percent"));
            }
        }
        generator.pauses(inSteps("gc.pause.longest.ms"), inSteps("safepoint.longest.ms"), result.steps());
        generator.cpu(ofWorkers("cpu.cores"), conditions.here().processors());
        @Nullable Double ceiling = result.generator().ceilingPerSecond();
        if (ceiling != null) {
            generator.ceiling(
                    result.mostAckedPerSecond(),
                    ceiling,
                    mean("generator", "cpu.cores"),
                    result.figures().late());
        }
    }

    private double mean(StepResult step, String metric) {
        return files.readings().mean("generator", metric, step.from(), step.from() + step.seconds());
    }

    private void load() {
        LoadCaveats load = new LoadCaveats(caveats);
        if (measured.balance() != null) {
            load.balance(measured.balance());
        }
        if (!end.warmUp().settled()) {
            load.warmUpCutShort(end.warmUp().seconds());
        }
        if (conditions.firstOfMany()) {
            load.cold(end.warmUp().seconds());
        }
        // Who catches up reads faster until then, and disturbs the producers less afterwards: that is the question.
        if (plan.level() && !plan.disturbed() && result.catchUp() == null) {
            // A rate that is too high makes latency grow for as long as it is offered; that it is not achieved is said.
            double[] latency = RateRule.sustained(RateRule.achieved(result.figures()))
                    ? files.series().latency(measured.from(), measured.to())
                    : new double[0];
            load.drift(
                    Drift.ofThroughput(files.series().throughput(measured.from(), measured.to())),
                    Drift.ofLatency(latency));
        }
        load.thin(result.figures());
        load.connections(
                grown("client", "producer.connection-creation-total"),
                result.figures().orZero(Count.ACKED) / mean("client", "producer.records-per-request-avg"),
                files.readings().sums("host", "tcp.retransmits", measured.from(), measured.to()).values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum());
        load.throttled(DoubleStream.of(
                        max("client", "producer.produce-throttle-time-avg"),
                        max("client", "consumer.fetch-throttle-time-avg"))
                .filter(Double::isFinite)
                .max()
                .orElse(0));
    }

    private void properties() {
        PropertyCaveats of = new PropertyCaveats(caveats, end.properties());
        of.overridden();
        of.ignored();
        of.topicCompression();
        of.compression(plan.sameValue(), mean("client", "producer.compression-rate-avg"));
        if (!conditions.forwarders().isEmpty()) {
            caveats.add(CaveatType.PROXY_ON_THE_PATH, "%s", String.join("; ", conditions.forwarders()));
        }
    }

    private void machine() {
        MachineCaveats machine = new MachineCaveats(caveats);
        machine.clock(end.clocks().wallMillis(), end.clocks().steadyMillis());
        machine.sharedCores(
                plan,
                conditions.here().processors(),
                mean("host", "cpu.busy.percent"),
                mean("generator", "cgroup.cpu.weight"));
        machine.steal(mean("host", "cpu.steal.percent"));
        List<Integer> here = conditions.brokers();
        others(machine);
        result.disturbances().forEach(machine::stress);
        result.disturbances().stream()
                .filter(DisturbanceResult::missed)
                .forEach(disturbance -> caveats.add(
                        CaveatType.FAULT_MISSED,
                        "%s: %s, and it led no partition of the load",
                        disturbance.name(),
                        disturbance.what()));
        if (!here.isEmpty() && plan.target() == LoadSpec.Target.CLUSTER) {
            machine.tmpfs(conditions.filesystem());
            machine.writeback(conditions.unlimitedWriteback());
            if (!flushed(end.properties())) {
                machine.pageCache(
                        (double) files.from(Steps.FILL).bytesAcked(), mean("host", "memory.available.mib") * MIB);
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

    /** The rest of the machine: until we stress it ourselves, from when on nobody can tell. */
    private void others(MachineCaveats machine) {
        double until = result.disturbances().stream()
                .filter(disturbance -> disturbance.stress() != null)
                .mapToDouble(disturbance -> disturbance.from() - 1)
                .reduce(measured.to(), Math::min);
        machine.memoryPressure(mean("host", "psi.memory.some.percent", until));
        double ours = plan.processes() * mean("generator", "cpu.user.cores", until)
                + mean("conductor", "cpu.user.cores", until);
        for (int broker : conditions.brokers()) {
            ours += mean("broker-" + broker, "cpu.user.cores", until);
        }
        for (String bridge : ProbeSeries.BRIDGES) {
            double cores = files.readings().meanOfSums(bridge, "cpu.user.cores", measured.from(), until);
            ours += Double.isNaN(cores) ? 0 : cores;
        }
        machine.others(
                mean("host", "cpu.user.percent", until)
                        / 100
                        * conditions.here().processors(),
                ours,
                conditions.here().processors());
    }

    /** A backlog, read in so many seconds from the beginning of the measured phase on; in MiB. */
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

    /** True when every message is written through to the disk. */
    private static boolean flushed(List<Property> properties) {
        return properties.stream()
                .anyMatch(property -> property.name().equals("flush.messages")
                        && property.effective().equals("1"));
    }

    /**
     * Returns the maximum within steps: what the generator did in rests, where it collects its garbage, weakens
     * nothing.
     */
    private double inSteps(String metric) {
        return result.steps().stream()
                .mapToDouble(step -> files.readings()
                        .max(
                                "generator",
                                metric,
                                step.from(),
                                Math.max(step.from(), step.from() + step.seconds() - 0.5)))
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
    }

    /** The growth of a total of all workers. */
    private double grown(String source, String metric) {
        SortedMap<Long, Double> totals = files.readings().sums(source, metric, measured.from(), measured.to());
        if (totals.isEmpty()) {
            return 0;
        }
        return Objects.requireNonNull(totals.get(totals.lastKey()))
                - Objects.requireNonNull(totals.get(totals.firstKey()));
    }

    /** Returns the sum over all workers. */
    private double ofWorkers(String metric) {
        return mean("generator", metric) * plan.processes();
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
}
