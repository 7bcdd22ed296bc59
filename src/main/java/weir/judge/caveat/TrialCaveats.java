package weir.judge.caveat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.judge.RateRule;
import weir.judge.TrialSeries;
import weir.measure.Drift;
import weir.measure.Numbers;
import weir.measure.Steps;
import weir.plan.CaveatType;
import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.results.TrialFolder;
import weir.results.value.CatchUpResult;
import weir.results.value.Caveat;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/** Every reason to doubt one trial that came to its end, by the files of its folder. */
public final class TrialCaveats {
    private static final double MIB = 1 << 20;

    private final Variant variant;
    private final TrialFolder folder;
    private final TrialEnd end;
    private final TrialEnd.Measured measured;
    private final TrialResult result;
    private final CaveatCollector caveats;
    private final ProbeSeries readings;

    private TrialCaveats(Variant variant, TrialFolder folder, TrialEnd end, TrialResult result) {
        this.variant = variant;
        this.folder = folder;
        this.end = end;
        measured = end.measured();
        this.result = result;
        caveats = new CaveatCollector(result.trial());
        readings = ProbeSeries.of(folder.readings((source, metric) -> !metric.startsWith("request.")));
    }

    public static List<Caveat> of(Variant variant, TrialFolder folder, TrialEnd end, TrialResult result) {
        TrialCaveats of = new TrialCaveats(variant, folder, end, result);
        of.generator();
        of.load();
        of.properties();
        of.machine();
        return of.caveats.found();
    }

    private void generator() {
        GeneratorCaveats generator = new GeneratorCaveats(caveats);
        if (!variant.load().rate().closed()) {
            generator.late(result.steps());
            result.steps()
                    .forEach(step -> generator.late(
                            step,
                            measured.workers().stream()
                                    .filter(worker -> worker.step() == step.step())
                                    .toList()));
            generator.rate(result.steps());
        }
        generator.pauses(inSteps("gc.pause.longest.ms"), inSteps("safepoint.longest.ms"), result.steps());
        generator.cpu(ofWorkers("cpu.cores"), end.place().cores());
        @Nullable Double ceiling = result.generator().ceilingPerSecond();
        if (ceiling != null) {
            generator.ceiling(
                    result.mostAckedPerSecond(),
                    ceiling,
                    mean("generator", "cpu.cores"),
                    result.figures().late());
        }
    }

    private void load() {
        LoadCaveats load = new LoadCaveats(caveats);
        load.balance(measured.balance());
        if (!end.warmUp().settled()) {
            load.warmUpCutShort(end.warmUp().seconds());
        }
        if (end.place().firstOfMany()) {
            load.cold(end.warmUp().seconds());
        }
        if (!end.stopReason().isEmpty()) {
            load.interrupted(end.stopReason());
        }
        // Who catches up reads faster until then, and disturbs the producers less afterwards: that is the question.
        if (level(variant.load().rate()) && variant.during().isEmpty() && result.catchUp() == null) {
            TrialSeries course = new TrialSeries();
            folder.windows().forEach(course::add);
            // A rate that is too high makes latency grow for as long as it is offered; that it is not achieved is said.
            double[] latency = RateRule.sustained(RateRule.achieved(result.figures()))
                    ? course.latency(measured.from(), measured.to())
                    : new double[0];
            load.drift(Drift.ofThroughput(course.throughput(measured.from(), measured.to())), Drift.ofLatency(latency));
        }
        load.thin(result.figures());
        load.throttled(DoubleStream.of(
                        max("client", "producer.produce-throttle-time-avg"),
                        max("client", "consumer.fetch-throttle-time-avg"))
                .filter(Double::isFinite)
                .max()
                .orElse(0));
    }

    /** True when the load is to be the same from the first second to the last. */
    private static boolean level(RateSpec rate) {
        return rate.closed()
                || rate instanceof RateSpec.Fixed
                || rate instanceof RateSpec.Poisson
                || rate instanceof RateSpec.OfCapacity
                || (rate instanceof RateSpec.Steps steps && steps.steps().size() == 1);
    }

    private void properties() {
        PropertyCaveats of = new PropertyCaveats(caveats, end.properties());
        of.overridden();
        of.ignored();
        of.topicCompression();
        of.compression(variant.load(), mean("client", "producer.compression-rate-avg"));
        if (!end.place().forwarders().isEmpty()) {
            caveats.add(
                    CaveatType.PROXY_ON_THE_PATH,
                    "%s",
                    String.join("; ", end.place().forwarders()));
        }
    }

    private void machine() {
        MachineCaveats machine = new MachineCaveats(caveats);
        machine.clock(end.clocks().wallMillis(), end.clocks().steadyMillis());
        machine.sharedCores(variant, end.place().cores(), mean("host", "cpu.busy.percent"));
        machine.steal(mean("host", "cpu.steal.percent"));
        machine.memoryPressure(mean("host", "psi.memory.some.percent"));
        List<Integer> here = end.place().brokers();
        double ours = ofWorkers("cpu.user.cores") + mean("conductor", "cpu.user.cores");
        for (int broker : here) {
            ours += mean("broker-" + broker, "cpu.user.cores");
        }
        machine.others(
                mean("host", "cpu.user.percent") / 100 * end.place().cores(),
                ours,
                end.place().cores());
        if (!here.isEmpty() && variant.load().target() == LoadSpec.Target.CLUSTER) {
            machine.tmpfs(end.place().filesystem());
            if (!flushed(end.properties())) {
                machine.pageCache(
                        (double) numbers(Steps.FILL).bytesAcked(), mean("host", "memory.available.mib") * MIB);
            }
            if (variant.load().workload() == LoadSpec.Workload.CONSUME) {
                reads(machine, numbers(Steps.MEASURE).bytesReceived() / MIB, measured.to() - measured.from());
            }
            CatchUpResult catchUp = result.catchUp();
            if (catchUp != null && catchUp.mebibytesPerSecond() != null) {
                reads(machine, catchUp.mebibytesPerSecond() * catchUp.seconds(), catchUp.seconds());
            }
        }
    }

    /** The counts of all steps from this one on. */
    private Numbers numbers(int first) {
        return folder.counts().tailMap(first).values().stream().reduce(new Numbers(), Numbers::plus);
    }

    /** A backlog, read in so many seconds from the beginning of the measured phase on; in MiB. */
    private void reads(MachineCaveats machine, double read, double seconds) {
        boolean cold = variant.load().backlog().cold();
        double fromDisk =
                seconds * readings.mean("host", "disk.read.mib.per.s", measured.from(), measured.from() + seconds);
        double resident = readings.max(MachineCaveats.PAGE_CACHE, MachineCaveats.RESIDENT, 0, measured.to()) / 100;
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
                .mapToDouble(step -> readings.max(
                        "generator", metric, step.from(), Math.max(step.from(), step.from() + step.seconds() - 0.5)))
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
    }

    /** Returns the sum over all workers. */
    private double ofWorkers(String metric) {
        return mean("generator", metric) * variant.load().processes();
    }

    private double max(String source, String metric) {
        return readings.max(source, metric, measured.from(), measured.to());
    }

    private double mean(String source, String metric) {
        return readings.mean(source, metric, measured.from(), measured.to());
    }
}
