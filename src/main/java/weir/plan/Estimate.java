package weir.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a run will take. Records and bytes are upper bounds over all trials, bytes with every replica counted; where a
 * rate has no bound ({@code bounded} is false) they are no bounds either, and rest on {@code assumed} records per second. {@code largest} is the bytes
 * of the largest trial, of one without a bound those of its backlog.
 */
public record Estimate(
        int trials, Duration time, long records, long bytes, long largest, boolean bounded, double assumed) {
    /** What is usual for one machine and the real client. Nothing bounds {@code max}, so it is taken for that. */
    private static final double USUAL_BYTES_PER_SECOND = 200e6;

    private static final double USUAL_RECORDS_PER_SECOND = 300e3;

    /** What is usual for an operation that the next one waits for, and for one with a transaction. */
    private static final double USUAL_OPERATION_SECONDS = 0.005;

    private static final double USUAL_TRANSACTION_SECONDS = 0.05;

    private static final int SAMPLE = 1 << 20;
    /** Of a record beside its value: key, headers, batch header, at most. */
    private static final int OVERHEAD = 60;

    private static final Duration BETWEEN_TRIALS = Duration.ofSeconds(3);
    private static final Duration CLUSTER = Duration.ofSeconds(2);
    private static final Duration SINK = Duration.ofSeconds(1);
    private static final Duration BROKER = Duration.ofSeconds(2);

    public static Estimate of(Experiment experiment) {
        Estimate trials = ofTrials(experiment);
        Duration ceilings = FullSpeed.TAKES.multipliedBy(FullSpeed.ceilings(experiment));
        return new Estimate(
                trials.trials(),
                trials.time().plus(ceilings).plus(PaceAlone.takes(experiment)),
                trials.records(),
                trials.bytes(),
                trials.largest(),
                trials.bounded(),
                trials.assumed());
    }

    /** Without what is measured before the trials. */
    static Estimate ofTrials(Experiment experiment) {
        List<Trial> trials = Trials.of(experiment);
        double seconds = trials.stream()
                .limit(1)
                .filter(trial -> !fresh(trial.variant()))
                .mapToDouble(trial -> start(trial.variant()))
                .sum();
        double records = 0;
        double bytes = 0;
        double largest = 0;
        boolean bounded = true;
        for (Trial trial : trials) {
            Variant variant = AtRate.atMost(experiment, trial.variant());
            double perSecond = highest(variant);
            double backlog = backlog(variant);
            double written = backlog + (writes(variant) ? sent(variant, perSecond) * records(variant) : 0);
            seconds += BETWEEN_TRIALS.toSeconds()
                    + (fresh(variant) ? start(variant) : 0)
                    + backlog / usual(variant)
                    + warmup(variant, perSecond)
                    + measured(variant, perSecond);
            records += written;
            double size = bytes(variant, written);
            bytes += size;
            boolean known = toSink(variant)
                    || !closed(variant.load().rate())
                    || !writes(variant)
                    || variant.measure() instanceof MeasureSpec.Operations;
            // Of what has no bound nothing is certain but its backlog.
            largest = Math.max(largest, known ? size : size * backlog / Math.max(1, written));
            bounded &= known;
        }
        for (SearchSpec.Capacity search : experiment.capacities()) {
            for (Variant variant : experiment.searched(search)) {
                boolean ends = search.to().perSecond() > 0;
                double perSecond = ends ? operations(search.to(), false, variant.load()) : assumed(variant);
                double length = (search.warmup().toMillis() + search.measure().toMillis()) / 1e3;
                double written = length * perSecond * records(variant);
                double size = bytes(variant, written);
                boolean own = trials.isEmpty() || fresh(variant);
                double heating = search.heats(variant) ? 2 * search.heating().toMillis() / 1e3 : 0;
                seconds += (own ? start(variant) : 0)
                        + heating
                        + searched(search, perSecond) * (length + BETWEEN_TRIALS.toSeconds());
                // Carrying all there can be is as long as so many tries.
                double tries = heating / length;
                records += (SearchSpec.Capacity.MOST_TRIALS + tries) * written;
                bytes += (SearchSpec.Capacity.MOST_TRIALS + tries) * size;
                largest = Math.max(largest, Math.max(1, tries) * size);
                bounded &= toSink(variant) || ends;
            }
        }
        double assumed = assumed(experiment.variants().get(0));
        return new Estimate(
                trials.size(),
                Duration.ofSeconds(Math.round(seconds)),
                whole(records),
                whole(bytes),
                whole(largest),
                bounded,
                assumed);
    }

    /** Trials that a search usually takes: up to what does not hold, the gap halved again and again, both ends once more. */
    private static double searched(SearchSpec.Capacity search, double highest) {
        double rises = Math.max(0, Math.ceil(Math.log(highest / search.from().perSecond()) / Math.log(4)));
        double halves =
                Math.log(Math.log(4) / Math.log1p(0.7 * search.precision().share())) / Math.log(2);
        return 3 + rises + Math.max(0, Math.floor(halves));
    }

    private static double bytes(Variant variant, double written) {
        return toSink(variant) ? 0 : written * (meanBytes(variant.load().value()) + OVERHEAD) * replication(variant);
    }

    private static long whole(double number) {
        return (long) Math.min(number, Long.MAX_VALUE / 2.0);
    }

    /** Nothing of what is sent there is kept. */
    private static boolean toSink(Variant variant) {
        return variant.load().target() == LoadSpec.Target.NULL;
    }

    private static boolean fresh(Variant variant) {
        return !toSink(variant)
                && variant.cluster() instanceof ClusterSpec.Embedded e
                && e.fresh() == ClusterSpec.Fresh.TRIAL;
    }

    private static double start(Variant variant) {
        if (toSink(variant)) {
            return SINK.toSeconds();
        }
        return variant.cluster() instanceof ClusterSpec.Embedded e
                ? CLUSTER.plus(BROKER.multipliedBy(e.brokers().size())).toSeconds()
                : 0;
    }

    private static boolean writes(Variant variant) {
        return variant.load().workload() != LoadSpec.Workload.CONSUME;
    }

    /** Records that one operation writes. */
    public static long records(Variant variant) {
        boolean all = variant.load().workload() == LoadSpec.Workload.WRITE;
        return all
                ? variant.topics().entrySet().stream()
                        .filter(topic -> variant.load().topics().contains(topic.getKey()))
                        .mapToLong(topic -> topic.getValue().count())
                        .sum()
                : 1;
    }

    private static boolean closed(RateSpec rate) {
        return rate.closed() || rate instanceof RateSpec.OfCapacity;
    }

    /** Operations per second that are assumed where nothing bounds them. */
    private static double assumed(Variant variant) {
        if (variant.load().rate() instanceof RateSpec.AtATime loop) {
            double seconds = variant.load().transaction() instanceof TransactionSpec.None
                    ? USUAL_OPERATION_SECONDS
                    : USUAL_TRANSACTION_SECONDS;
            return Math.min(usual(variant), variant.load().producers() * loop.operations() / seconds);
        }
        return usual(variant);
    }

    /** Records per second of producers that wait for nothing. */
    private static double usual(Variant variant) {
        double mean = meanBytes(variant.load().value());
        return Math.min(USUAL_RECORDS_PER_SECOND, USUAL_BYTES_PER_SECOND / Math.max(1, mean));
    }

    private static double highest(Variant variant) {
        LoadSpec load = variant.load();
        RateSpec rate = load.rate();
        if (rate instanceof RateSpec.Fixed f) {
            return operations(f.rate(), f.perProducer(), load);
        }
        if (rate instanceof RateSpec.Steps s) {
            return s.steps().stream()
                    .mapToDouble(step -> operations(step.rate(), step.perProducer(), load))
                    .max()
                    .orElse(0);
        }
        if (rate instanceof RateSpec.Ramp r) {
            return Math.max(operations(r.from(), false, load), operations(r.to(), false, load));
        }
        if (rate instanceof RateSpec.Poisson p) {
            return operations(p.rate(), false, load);
        }
        if (rate instanceof RateSpec.Burst b) {
            return b.operations() / (b.every().toNanos() / 1e9);
        }
        if (rate instanceof RateSpec.Replay r && Files.isReadable(r.file())) {
            return ReplayedRates.read(r.file()).highest();
        }
        return assumed(variant);
    }

    /** Operations per second of the whole load; bytes are those of values. */
    public static double operations(Rate rate, boolean perProducer, LoadSpec load) {
        double perSecond =
                rate.unit() == Rate.Unit.BYTES ? rate.perSecond() / meanBytes(load.value()) : rate.perSecond();
        return perProducer ? perSecond * load.producers() : perSecond;
    }

    /** Records per second of the whole load. */
    public static double records(Rate rate, boolean perProducer, Variant variant) {
        return operations(rate, perProducer, variant.load()) * records(variant);
    }

    private static double sent(Variant variant, double perSecond) {
        double warm = variant.warmup() instanceof WarmupSpec.Operations o
                ? o.operations()
                : warmup(variant, perSecond) * perSecond;
        if (variant.measure() instanceof MeasureSpec.Operations o) {
            return warm + o.operations();
        }
        if (variant.load().rate() instanceof RateSpec.Steps s) {
            return warm
                    + s.steps().stream()
                            .mapToDouble(step -> operations(step.rate(), step.perProducer(), variant.load())
                                    * step.length().toNanos()
                                    / 1e9)
                            .sum();
        }
        if (variant.load().rate() instanceof RateSpec.Replay r && Files.isReadable(r.file())) {
            return warm
                    + ReplayedRates.read(r.file()).held().stream()
                            .mapToDouble(held -> held.perSecond() * (held.endNanos() - held.startNanos()) / 1e9)
                            .sum();
        }
        return warm + measured(variant, perSecond) * perSecond;
    }

    private static double warmup(Variant variant, double perSecond) {
        WarmupSpec warmup = variant.warmup();
        if (warmup instanceof WarmupSpec.Operations o) {
            return o.operations() / perSecond;
        }
        Duration length = Duration.ZERO;
        if (warmup instanceof WarmupSpec.For f) {
            length = f.length();
        } else if (warmup instanceof WarmupSpec.ForAt at) {
            length = at.length();
        } else if (warmup instanceof WarmupSpec.UntilSteady u) {
            length = u.max();
        }
        return length.toNanos() / 1e9;
    }

    private static double measured(Variant variant, double perSecond) {
        if (variant.measure() instanceof MeasureSpec.Operations o) {
            return o.operations() / perSecond;
        }
        return RateChecks.length(variant).toNanos() / 1e9;
    }

    private static double backlog(Variant variant) {
        BacklogSpec backlog = variant.load().backlog();
        if (backlog instanceof BacklogSpec.Records r) {
            return r.records();
        }
        return backlog instanceof BacklogSpec.Bytes b
                ? b.size().bytes() / meanBytes(variant.load().value())
                : 0;
    }

    /** For the values of a file, that of those at its beginning. */
    private static double meanBytes(ValueSpec value) {
        if (value instanceof ValueSpec.FromFile from && Files.isRegularFile(from.file())) {
            try (InputStream in = Files.newInputStream(from.file())) {
                byte[] beginning = in.readNBytes(SAMPLE);
                if (from.each() instanceof ValueSpec.Each.Whole) {
                    return Files.size(from.file());
                }
                String delimiter = from.each() instanceof ValueSpec.Each.Delimited d ? d.delimiter() : "\n";
                long values = Pattern.compile(delimiter)
                        .matcher(new String(beginning, StandardCharsets.UTF_8))
                        .results()
                        .count();
                return beginning.length / Math.max(1.0, (double) values);
            } catch (IOException e) {
                throw new UncheckedIOException("estimating the values of " + from.file(), e);
            }
        }
        return value.meanBytes();
    }

    private static int replication(Variant variant) {
        return variant.topics().entrySet().stream()
                .filter(topic -> variant.load().topics().contains(topic.getKey()))
                .mapToInt(topic -> topic.getValue().replication())
                .max()
                .orElse(1);
    }
}
