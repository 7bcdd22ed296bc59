package weir.feature.fit;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import weir.feature.fit.ScalingResult.Limit;
import weir.feature.fit.ScalingResult.Limited;
import weir.judge.ProbeSeries;
import weir.judge.RateRule;
import weir.judge.trial.JudgedTrial;
import weir.plan.syntax.Units;
import weir.results.value.HostFacts;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/**
 * The bottleneck of a trial's throughput, from probe readings: a CPU limit of a process, the CPU of a machine, a disk,
 * or the threads of the load. It is unknown if no reading shows a bottleneck.
 */
record RateLimit(TrialResult result, List<HostFacts> hosts, ProbeSeries readings, double from, double to) {
    private static final double REACHED = 0.9;

    private static final double BUSY_PERCENT = 90;
    private static final double WAITING_PERCENT = 50;
    private static final double IDLE_PERCENT = 10;
    private static final double LEAST_OTHERS = 0.05;

    private static final String CORES = "cpu.cores";
    private static final String GENERATOR = "generator";
    private static final String BROKER = "broker";

    static Limit of(JudgedTrial trial) {
        TrialResult result = trial.result();
        if (result.steps().isEmpty()) {
            return Limit.UNKNOWN;
        }
        return new RateLimit(
                        result,
                        trial.folder().conditions().hosts(),
                        ProbeSeries.of(trial.folder(), (source, metric) -> !metric.startsWith("request.")),
                        result.from(),
                        result.to())
                .found();
    }

    Limit found() {
        for (Limit limit : List.of(
                offered(),
                within(Limited.GENERATOR, GENERATOR, "load.within.cpu"),
                within(Limited.BROKERS, BROKER, "cluster.within.cpu"),
                cores(),
                disk(),
                threads(),
                handlers())) {
            if (limit.by() != Limited.UNKNOWN) {
                return limit;
            }
        }
        return Limit.UNKNOWN;
    }

    private Limit offered() {
        return result.figures().offeredPerSecond() != null && RateRule.sustained(RateRule.achieved(result.figures()))
                ? new Limit(Limited.OFFERED, "the trial achieved the whole offered rate")
                : Limit.UNKNOWN;
    }

    private Limit within(Limited by, String kind, String setting) {
        Double cores = Units.number(result.settings().getOrDefault(setting, ""));
        double used = busiest(kind);
        return cores != null && cores > 0 && used >= REACHED * cores
                ? new Limit(by, evidence("one process used %s of its %s cores", used, cores))
                : Limit.UNKNOWN;
    }

    private Limit cores() {
        for (HostFacts host : hosts) {
            double busy = mean(host.source(), "cpu.busy.percent");
            if (busy >= BUSY_PERCENT) {
                boolean loads = !host.workers().isEmpty();
                boolean serves = !host.brokers().isEmpty();
                String where = host.here() ? "" : " of " + host.name();
                return new Limit(
                        loads == serves ? Limited.MACHINE : loads ? Limited.GENERATOR : Limited.BROKERS,
                        host.processors() + " cores" + where + " " + NumberFormat.number(Math.rint(busy)) + " % busy"
                                + (loads == serves ? shares(busy / 100 * host.processors()) : ""));
            }
        }
        return Limit.UNKNOWN;
    }

    private String shares(double used) {
        double generator = sum(GENERATOR);
        double brokers = sum(BROKER);
        if (Double.isNaN(generator) || Double.isNaN(brokers)) {
            return "";
        }
        double others = used - generator - brokers;
        return evidence(": generator %s, brokers %s", generator, brokers)
                + (others < LEAST_OTHERS ? "" : ", all others " + NumberFormat.threeDigits(others));
    }

    private Limit disk() {
        for (HostFacts host : hosts) {
            double waiting = mean(host.source(), "psi.io.some.percent");
            double busy = mean(host.source(), "disk.busy.percent");
            if (waiting >= WAITING_PERCENT || busy >= BUSY_PERCENT) {
                return new Limit(
                        Limited.DISK,
                        waiting >= WAITING_PERCENT
                                ? "processes waited for a disk " + NumberFormat.number(Math.rint(waiting))
                                        + " % of the time"
                                : NumberFormat.number(Math.rint(busy)) + " % busy");
            }
        }
        return Limit.UNKNOWN;
    }

    /** A thread uses at most one core. The reading is of the whole process, so all its threads must be full. */
    private Limit threads() {
        int threads = threadsOfLoad();
        double used = sum(GENERATOR);
        return threads > 0 && used >= REACHED * threads
                ? new Limit(
                        Limited.GENERATOR,
                        "its " + threads + (threads == 1 ? " thread" : " threads") + " used "
                                + NumberFormat.threeDigits(used) + " cores")
                : Limit.UNKNOWN;
    }

    private int threadsOfLoad() {
        int producers = party("load.producers") * threadsOfEach("load.engine.send", 2);
        int consumers = party("load.consumers") * threadsOfEach("load.engine.receive", 1);
        return switch (result.settings().getOrDefault("load.workload", "")) {
            case "produce", "write" -> producers;
            case "consume" -> consumers;
            case "deliver" -> producers > 0 && consumers > 0 ? producers + consumers : 0;
            default -> 0;
        };
    }

    private int threadsOfEach(String engine, int ofClient) {
        String all = result.settings().getOrDefault("load.engine", "");
        return switch (result.settings().getOrDefault(engine, all)) {
            case "client" -> ofClient;
            case "wire" -> 1;
            default -> 0;
        };
    }

    private int party(String path) {
        Double number = Units.number(result.settings().getOrDefault(path, ""));
        return number == null ? 0 : number.intValue();
    }

    private Limit handlers() {
        for (String metric : List.of("handlers.idle.percent", "network.idle.percent")) {
            double idle = brokers()
                    .map(broker -> mean(source(broker), metric))
                    .filter(Double::isFinite)
                    .min()
                    .orElse(100);
            if (idle <= IDLE_PERCENT) {
                String threads = metric.startsWith("handlers") ? "request handlers" : "network threads";
                return new Limit(
                        Limited.BROKERS, threads + " " + NumberFormat.number(Math.rint(100 - idle)) + " % busy");
            }
        }
        return Limit.UNKNOWN;
    }

    private DoubleStream brokers() {
        return hosts.stream().flatMap(host -> host.brokers().stream()).mapToDouble(broker -> broker);
    }

    private static String source(double broker) {
        return BROKER + "-" + (int) broker;
    }

    private double busiest(String kind) {
        DoubleStream each = kind.equals(BROKER)
                ? brokers().map(broker -> mean(source(broker), CORES))
                : DoubleStream.concat(
                        DoubleStream.of(workers() == 1 ? mean(GENERATOR, CORES) : Double.NaN),
                        IntStream.rangeClosed(1, workers())
                                .mapToDouble(worker -> mean(GENERATOR + "-" + worker, CORES)));
        return each.filter(Double::isFinite).max().orElse(Double.NaN);
    }

    private int workers() {
        Integer workers = result.generator().workers();
        return workers == null ? 1 : workers;
    }

    private double sum(String kind) {
        return readings.meanOfSums(kind, CORES, from, Math.floor(to));
    }

    private double mean(String source, String metric) {
        return readings.mean(source, metric, from, Math.floor(to));
    }

    private static String evidence(String text, double first, double second) {
        return String.format(Locale.ROOT, text, NumberFormat.threeDigits(first), NumberFormat.threeDigits(second));
    }
}
