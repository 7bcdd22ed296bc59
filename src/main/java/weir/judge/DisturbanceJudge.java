package weir.judge;

import java.util.List;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.DisturbanceReadings;
import weir.measure.Known;
import weir.measure.Median;
import weir.results.WindowRow;
import weir.results.value.DisturbanceResult;
import weir.results.value.Event;
import weir.results.value.Event.DisturbedTime;
import weir.results.value.HostFacts;
import weir.results.value.StressResult;
import weir.results.value.StressResult.Effect;
import weir.results.value.StressResult.Taken;

/**
 * The judgement of a trial's disturbances by its windows and the gaps of its partitions: the longest gap without
 * messages, and the recovery. The rules are in docs/explanation/disturbances.md.
 */
public record DisturbanceJudge(List<WindowRow> rows, ProbeSeries readings, boolean reads) {
    private static final int CALM_WINDOWS = 3;
    private static final double LEAST_ACKED = 0.95;
    private static final double TIMES = 2;
    private static final double MILLIS = 10;
    private static final double LAG_SECONDS = 0.1;

    /** The results by the start of the disturbance. Skips disturbances of other variants. */
    public static List<DisturbanceResult> of(TrialFiles files) {
        double from = Math.rint(files.end().measured().from());
        double to = files.end().measured().to();
        return of(
                files.folder().events(),
                files.windows().stream()
                        .filter(row -> row.second() >= from && row.second() < to)
                        .toList(),
                files.readings(),
                files.plan().reads());
    }

    static List<DisturbanceResult> of(List<Event> events, List<WindowRow> rows, ProbeSeries readings, boolean reads) {
        DisturbanceJudge judge = new DisturbanceJudge(rows, readings, reads);
        return DisturbedTime.of(events).stream()
                .filter(DisturbedTime::here)
                .map(judge::judged)
                .toList();
    }

    private double begin() {
        return rows.isEmpty() ? 0 : rows.get(0).second();
    }

    private double end() {
        return rows.isEmpty() ? 0 : end(rows.get(rows.size() - 1));
    }

    private DisturbanceResult judged(DisturbedTime time) {
        boolean over = Double.isFinite(time.to());
        double since = over ? time.to() : time.from();
        Double usual = usual(time.from());
        long windows =
                rows.stream().filter(row -> row.second() >= Math.floor(since)).count();
        double recovered = usual == null || windows < CALM_WINDOWS ? Double.NaN : recovered(since, usual, time.from());
        boolean known = !Double.isNaN(recovered);
        Double led = noted(time.name(), DisturbanceReadings.LED);
        boolean reached = known && recovered < Double.POSITIVE_INFINITY;
        return new DisturbanceResult(
                time.name(),
                time.what(),
                time.from(),
                over ? time.to() : null,
                Math.max(longestGap(readings, time.from(), time.to()), gap(time.from(), Math.min(end(), time.to()))),
                reached,
                known ? Math.max(0, (reached ? recovered : end()) - since) : null,
                led == null ? null : Integer.valueOf(led.intValue()),
                noted(time.name(), DisturbanceReadings.TAKEN_OVER),
                noted(time.name(), DisturbanceReadings.IN_SYNC),
                StressJudge.of(readings, time, begin(), end()));
    }

    private @Nullable Double noted(String name, String metric) {
        return Known.of(readings.last(DisturbanceReadings.ofFault(name), metric, 0, Double.MAX_VALUE));
    }

    /** Returns the longest gap of a partition, in seconds, that overlaps this time. */
    private static double longestGap(ProbeSeries readings, double from, double to) {
        return Stream.of(DisturbanceReadings.ACK_GAP, DisturbanceReadings.READ_GAP)
                .flatMap(metric -> readings.bySource(DisturbanceReadings.PARTITION, metric).values().stream())
                .flatMap(gaps -> gaps.tailMap(from).entrySet().stream())
                .filter(gap -> gap.getKey() - gap.getValue() / 1e3 < to)
                .mapToDouble(gap -> gap.getValue() / 1e3)
                .max()
                .orElse(0);
    }

    private double gap(double from, double to) {
        // Records in flight at a broker's death may still arrive, so they do not show the broker's return.
        boolean onlyReads = !reads && rows.stream().noneMatch(row -> row.acked() > 0);
        double gap = gap(from, to, onlyReads ? WindowRow::received : WindowRow::acked);
        return reads ? Math.max(gap, gap(from, to, WindowRow::received)) : gap;
    }

    private double gap(double from, double to, ToLongFunction<WindowRow> came) {
        double longest = 0;
        double gap = 0;
        boolean within = false;
        for (WindowRow row : rows) {
            if (end(row) <= from) {
                continue;
            }
            if (came.applyAsLong(row) > 0) {
                gap = 0;
                within = false;
            } else {
                within |= row.second() < to;
                gap += row.seconds();
                longest = within ? Math.max(longest, gap) : longest;
            }
        }
        return longest;
    }

    private @Nullable Double usual(double from) {
        return Known.of(Median.of(rows.stream()
                .filter(row -> end(row) <= from)
                .mapToDouble(DisturbanceJudge::p99)
                .filter(p99 -> !Double.isNaN(p99))
                .toArray()));
    }

    private double recovered(double since, double usual, double from) {
        SortedMap<Long, Double> lags = readings.sums("readers", "lag.records", begin(), end());
        double usualLag = lags.headMap((long) Math.floor(from)).values().stream()
                .mapToDouble(lag -> lag)
                .max()
                .orElse(0);
        int calm = 0;
        double first = 0;
        for (WindowRow row : rows) {
            if (row.second() < Math.floor(since)) {
                continue;
            }
            double lag = lags.getOrDefault((long) row.second(), 0.0);
            if (!calm(row, usual) || lag > TIMES * usualLag + LAG_SECONDS * row.due() / row.seconds()) {
                calm = 0;
            } else if (++calm == 1) {
                first = row.second();
            }
            if (calm == CALM_WINDOWS) {
                return first;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private boolean calm(WindowRow row, double usual) {
        double p99 = p99(row);
        return row.failed() == 0
                && row.acked() >= LEAST_ACKED * row.due()
                && (!reads || row.received() >= LEAST_ACKED * row.due())
                && row.acked() + row.received() > 0
                && (Double.isNaN(p99) || p99 <= TIMES * usual + MILLIS);
    }

    private static double p99(WindowRow row) {
        return row.response().p99();
    }

    private static double end(WindowRow row) {
        return row.second() + row.seconds();
    }

    /**
     * The judgement of a stress: the requested resources, the used resources, and the effect on the machine. For
     * several machines, amounts are summed and effects averaged.
     */
    record StressJudge(
            ProbeSeries readings, List<String> sources, List<String> machines, double begin, double from, double to) {
        /** Null if the disturbance was no stress. {@code begin} and {@code end} are of the measured phase. */
        static @Nullable StressResult of(ProbeSeries readings, DisturbedTime time, double begin, double end) {
            String stress = DisturbanceReadings.ofStress(time.name());
            List<String> sources = readings.sources(stress, DisturbanceReadings.ASKED_MEMORY);
            List<String> machines = sources.stream()
                    .map(source -> HostFacts.SOURCE + source.substring(stress.length()))
                    .toList();
            return sources.isEmpty()
                    ? null
                    : new StressJudge(readings, sources, machines, begin, time.from(), Math.min(end, time.to()))
                            .judged();
        }

        private StressResult judged() {
            double seconds = to - from;
            Double most = asked(DisturbanceReadings.MOST_WRITTEN);
            Double disk = asked(DisturbanceReadings.ASKED_DISK);
            return new StressResult(
                    new Taken(
                            asked(DisturbanceReadings.ASKED_MEMORY),
                            sum(source -> readings.max(source, DisturbanceReadings.MEMORY, from, to))),
                    new Taken(
                            disk == null || most == null ? disk : Double.valueOf(Math.min(disk, most * seconds)),
                            sum(source -> seconds * readings.mean(source, DisturbanceReadings.WRITTEN, from, to))),
                    new Taken(
                            asked(DisturbanceReadings.ASKED_CORES),
                            sum(source -> readings.mean(source, DisturbanceReadings.CORES, from, to))),
                    effect("psi.memory.some.percent"),
                    effect("disk.busy.percent"),
                    effect("faults.major.per.s"));
        }

        private Effect effect(String metric) {
            return new Effect(mean(metric, begin, Math.max(begin, from - 1)), mean(metric, from, to));
        }

        private @Nullable Double mean(String metric, double after, double until) {
            return Known.of(machines.stream()
                    .mapToDouble(machine -> readings.mean(machine, metric, after, until))
                    .filter(value -> !Double.isNaN(value))
                    .average()
                    .orElse(Double.NaN));
        }

        private @Nullable Double asked(String metric) {
            return sum(source -> readings.last(source, metric, 0, Double.MAX_VALUE));
        }

        private @Nullable Double sum(ToDoubleFunction<String> ofSource) {
            double[] known = sources.stream()
                    .mapToDouble(ofSource)
                    .filter(value -> !Double.isNaN(value))
                    .toArray();
            return known.length == 0
                    ? null
                    : Double.valueOf(DoubleStream.of(known).sum());
        }
    }
}
