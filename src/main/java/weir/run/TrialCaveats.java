package weir.run;

import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.judge.ProbeSeries;
import weir.judge.RateRule;
import weir.judge.TrialSeries;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.GeneratorCaveats;
import weir.judge.caveat.LoadCaveats;
import weir.judge.caveat.MachineCaveats;
import weir.judge.caveat.PropertyCaveats;
import weir.measure.Drift;
import weir.measure.Steps;
import weir.plan.LoadSpec;
import weir.plan.Property;
import weir.plan.RateSpec;
import weir.plan.Trial;
import weir.plan.Variant;
import weir.results.CatchUpResult;
import weir.results.Caveat;
import weir.results.TrialResult;

/** Holds everything that is known about one trial against every rule of doubt. */
public final class TrialCaveats {
    private static final double MIB = 1 << 20;

    private final Variant variant;
    private final TrialOutcome outcome;
    private final TrialResult result;
    private final Circumstances around;
    private final CaveatCollector doubts;
    private final ProbeSeries readings;
    private final double from;
    private final double to;

    /**
     * Where a trial took place.
     *
     * @param filesystem of the brokers' data, empty when they run elsewhere
     * @param firstOfMany whether its brokers carried no load before it, and do so for trials after it
     */
    public record Circumstances(Cluster cluster, int cores, String filesystem, boolean firstOfMany) {}

    private TrialCaveats(Trial trial, TrialOutcome outcome, TrialResult result, Circumstances around) {
        this.variant = trial.variant();
        this.outcome = outcome;
        this.result = result;
        this.around = around;
        doubts = new CaveatCollector(trial.number());
        readings = outcome.tally().readings();
        from = outcome.tally().second(outcome.measured().startNanos());
        to = outcome.tally().second(outcome.measured().endNanos());
    }

    public static List<Caveat> of(Trial trial, TrialOutcome outcome, TrialResult result, Circumstances around) {
        TrialCaveats of = new TrialCaveats(trial, outcome, result, around);
        of.generator();
        of.load();
        of.properties();
        of.machine();
        return of.doubts.found();
    }

    private void generator() {
        GeneratorCaveats generator = new GeneratorCaveats(doubts);
        if (!variant.load().rate().closed()) {
            generator.late(result.steps());
            result.steps().forEach(step -> generator.late(step, outcome.tally().workers(step.step())));
            generator.rate(result.steps());
        }
        generator.pauses(inSteps("gc.pause.longest.ms"), inSteps("safepoint.longest.ms"), result.steps());
        generator.cpu(ofWorkers("cpu.cores"), around.cores());
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
        LoadCaveats load = new LoadCaveats(doubts);
        load.balance(outcome.balance());
        if (!outcome.settled()) {
            load.warmUpCutShort(outcome.warmedUpSeconds());
        }
        if (around.firstOfMany()) {
            load.cold(outcome.warmedUpSeconds());
        }
        if (!outcome.stopReason().isEmpty()) {
            load.interrupted(outcome.stopReason());
        }
        // Who catches up reads faster until then, and disturbs the producers less afterwards: that is the question.
        if (level(variant.load().rate()) && variant.during().isEmpty() && result.catchUp() == null) {
            TrialSeries course = outcome.tally().course();
            // A rate that is too high makes latency grow for as long as it is offered; that it is not achieved is said.
            double[] latency =
                    RateRule.sustained(RateRule.achieved(result.figures())) ? course.latency(from, to) : new double[0];
            load.drift(Drift.ofThroughput(course.throughput(from, to)), Drift.ofLatency(latency));
        }
        load.thin(result.figures());
        load.throttled(DoubleStream.of(
                        max("client", "producer.produce-throttle-time-avg"),
                        max("client", "consumer.fetch-throttle-time-avg"))
                .filter(Double::isFinite)
                .max()
                .orElse(0));
    }

    /** Whether the load is to be the same from the first second to the last. */
    private static boolean level(RateSpec rate) {
        return rate.closed()
                || rate instanceof RateSpec.Fixed
                || rate instanceof RateSpec.Poisson
                || rate instanceof RateSpec.OfCapacity
                || (rate instanceof RateSpec.Steps steps && steps.steps().size() == 1);
    }

    private void properties() {
        PropertyCaveats of = new PropertyCaveats(doubts, outcome.properties());
        of.overridden();
        of.ignored();
        of.topicCompression();
        of.compression(variant.load(), mean("client", "producer.compression-rate-avg"));
        new PathCaveats(doubts).path(around.cluster(), outcome.properties());
    }

    private void machine() {
        MachineCaveats machine = new MachineCaveats(doubts);
        machine.clock(outcome.wallMillis(), outcome.steadyMillis());
        machine.sharedCores(variant, around.cores(), mean("host", "cpu.busy.percent"));
        machine.steal(mean("host", "cpu.steal.percent"));
        machine.memoryPressure(mean("host", "psi.memory.some.percent"));
        List<Broker> here = around.cluster().brokers().stream()
                .filter(broker -> broker.pid() > 0)
                .toList();
        double ours = ofWorkers("cpu.user.cores") + mean("conductor", "cpu.user.cores");
        for (Broker broker : here) {
            ours += mean("broker-" + broker.id(), "cpu.user.cores");
        }
        machine.others(mean("host", "cpu.user.percent") / 100 * around.cores(), ours, around.cores());
        if (!here.isEmpty() && variant.load().target() == LoadSpec.Target.CLUSTER) {
            machine.tmpfs(around.filesystem());
            if (!flushed(outcome.properties())) {
                machine.pageCache(
                        (double) outcome.tally()
                                .total(Steps.FILL, outcome.lastStep())
                                .bytesAcked(),
                        mean("host", "memory.available.mib") * MIB);
            }
            if (variant.load().workload() == LoadSpec.Workload.CONSUME) {
                double read =
                        outcome.tally().total(Steps.MEASURE, outcome.lastStep()).bytesReceived() / MIB;
                reads(machine, read, to - from);
            }
            CatchUpResult catchUp = result.catchUp();
            if (catchUp != null && catchUp.mebibytesPerSecond() != null) {
                reads(machine, catchUp.mebibytesPerSecond() * catchUp.seconds(), catchUp.seconds());
            }
        }
    }

    /** A backlog, read in so many seconds from the beginning of the measured phase on; in MiB. */
    private void reads(MachineCaveats machine, double read, double seconds) {
        boolean cold = variant.load().backlog().cold();
        double fromDisk = seconds * readings.mean("host", "disk.read.mib.per.s", from, from + seconds);
        double resident = readings.max(PageCacheShare.SOURCE, PageCacheShare.RESIDENT, 0, to) / 100;
        machine.cacheAsAsked(cold, resident, read, fromDisk);
        if (!cold) {
            machine.readCache(read, fromDisk);
        }
    }

    /** Whether every message is written through to the disk. */
    private static boolean flushed(List<Property> properties) {
        return properties.stream()
                .anyMatch(property -> property.name().equals("flush.messages")
                        && property.effective().equals("1"));
    }

    /** What the generator did in rests, where it collects its garbage, weakens nothing. */
    private double inSteps(String metric) {
        return result.steps().stream()
                .mapToDouble(step -> readings.max(
                        "generator", metric, step.from(), Math.max(step.from(), step.from() + step.seconds() - 0.5)))
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
    }

    /** Of all workers together. */
    private double ofWorkers(String metric) {
        return mean("generator", metric) * variant.load().processes();
    }

    private double max(String source, String metric) {
        return readings.max(source, metric, from, to);
    }

    private double mean(String source, String metric) {
        return readings.mean(source, metric, from, to);
    }
}
