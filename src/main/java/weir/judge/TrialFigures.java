package weir.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.HistogramLog;
import weir.measure.Known;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Steps;
import weir.plan.Expectation;
import weir.plan.Metric;
import weir.results.WindowRow;
import weir.results.value.BreakingPointResult;
import weir.results.value.CatchUpResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.Event;
import weir.results.value.Event.DisturbedTime;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/** A calculation of the figure that an expectation names, from one trial or its windows. */
record TrialFigures(Expectation e, Evidence trial, TimeScope moment) {
    TrialFigures(Expectation e, Evidence trial) {
        this(e, trial, TimeScope.of(e.during(), trial));
    }

    FoundFigure whole() {
        if (e.latency()) {
            return latency();
        }
        return switch (e.metric().name()) {
            case "breaking-point" -> FoundFigure.ofBreakingPoint(trial.result());
            case "catch-up" -> FoundFigure.ofCatchUp(trial.result());
            case "gap", "recovery" -> disturbances();
            default -> FoundFigure.of(moment.measured() ? measured() : ofWindows(rows()));
        };
    }

    private double measured() {
        List<Figures> figures = figures();
        return figures.isEmpty()
                ? Double.NaN
                : e.metric().kind() == Metric.Kind.LAG ? lag(figures) : rateOrCount(figures);
    }

    private List<Figures> figures() {
        if (e.during().isEmpty() || e.during().equals("measure")) {
            return List.of(trial.result().figures());
        }
        return moment.amid()
                ? Stream.ofNullable(trial.result().figuresDuring(e.during())).toList()
                : TimeScope.steps(e.during(), trial.result()).stream()
                        .map(StepResult::figures)
                        .toList();
    }

    private FoundFigure disturbances() {
        if (trial.result().figures().nothing()) {
            return FoundFigure.NOTHING;
        }
        FoundFigure longest = FoundFigure.NOTHING;
        double most = Double.NEGATIVE_INFINITY;
        for (DisturbanceResult one : trial.result().disturbances()) {
            boolean gap = e.metric().name().equals("gap");
            Double seconds = gap ? Double.valueOf(one.gap()) : one.recovery();
            if ((e.during().isEmpty() || e.during().equals(one.name())) && seconds != null && seconds > most) {
                most = seconds;
                longest = new FoundFigure(seconds, !gap && !one.recovered(), false);
            }
        }
        return longest;
    }

    Latency histogram() {
        if (moment.amid()) {
            List<Latency> windows = new ArrayList<>();
            double measured = trial.result().steps().get(0).from();
            trial.latencies(
                    tag -> names(tag)
                            && moment.spans().stream()
                                    .anyMatch(span -> tag.due(span.from() - measured, span.to() - measured)),
                    (second, latency) -> windows.add(latency));
            return Latency.sum(windows);
        }
        SortedMap<String, Latency> mine = trial.latencies();
        mine.keySet().removeIf(name -> !names(HistogramLog.LatencyTag.of(name)));
        return Latency.sum(mine.values());
    }

    SortedMap<Integer, FoundFigure> windows() {
        SortedMap<Integer, FoundFigure> windows = new TreeMap<>();
        if (!e.latency()) {
            for (WindowRow row : rows()) {
                windows.put(moment.place(row.second(), row.seconds()), FoundFigure.of(ofWindows(List.of(row))));
            }
            return windows;
        }
        for (WindowRow row : rows()) {
            // A window with due messages and no arrival has no latency, so no limit holds.
            if (row.due() > 0) {
                windows.put(moment.place(row.second(), row.seconds()), FoundFigure.NOTHING);
            }
        }
        trial.latencies(this::names, (second, latency) -> {
            int place = moment.place(second, 1);
            if (place >= 0) {
                windows.put(place, FoundFigure.of(e, latency, 100));
            }
        });
        return windows;
    }

    private boolean names(HistogramLog.LatencyTag tag) {
        return tag.metric().equals(e.metric().name()) && moment.steps().contains(tag.step());
    }

    private List<WindowRow> rows() {
        return trial.windows().stream()
                .filter(row -> moment.place(row.second(), row.seconds()) >= 0)
                .toList();
    }

    private FoundFigure latency() {
        LatencyKind kind = LatencyKind.of(e.metric().name());
        List<LatencyResult> kept =
                moment.measured() ? figures().stream().map(f -> f.latency(kind)).toList() : List.of();
        double bound = kept.stream()
                .map(LatencyResult::atLeastBeyond)
                .mapToDouble(beyond -> beyond == null ? 100 : beyond)
                .min()
                .orElse(100);
        return kept.size() == 1 && LatencyResult.PERCENTILES.contains(FoundFigure.percentile(e.stat()))
                ? FoundFigure.of(e, kept.get(0), bound)
                : FoundFigure.of(e, histogram(), bound);
    }

    private double lag(List<Figures> figures) {
        if (e.stat().equals("end") && e.unit() != Expectation.Unit.SECONDS) {
            return known(figures.get(figures.size() - 1).lag().end());
        }
        ToDoubleFunction<Figures> max = f -> e.unit() == Expectation.Unit.SECONDS
                ? Known.orNaN(f.lag().maxSeconds())
                : known(f.lag().max());
        return figures.stream().mapToDouble(max).reduce(Math::max).orElse(Double.NaN);
    }

    /** A rate may occur several times: counts are summed, and rates are weighted by the duration of their steps. */
    private double rateOrCount(List<Figures> figures) {
        if (e.metric().name().equals("achieved")) {
            double achieved = moment.amid() ? Double.NaN : achieved();
            return Double.isNaN(achieved)
                    ? perSecond(figures, Figures::ackedPerSecond) / perSecond(figures, Figures::offeredPerSecond)
                    : achieved;
        }
        if (e.metric().kind() == Metric.Kind.RATE) {
            return perSecond(figures, f -> f.rate(RateKind.of(e.metric().name())));
        }
        return figures.stream()
                .mapToDouble(f -> known(f.count(e.metric().name())))
                .sum();
    }

    private double achieved() {
        List<StepResult> steps = trial.result().steps().stream()
                .filter(step -> moment.steps().contains(step.step()))
                .toList();
        double came = 0;
        double due = 0;
        for (StepResult step : steps) {
            came += Known.orNaN(step.achievedPerSecond()) * step.seconds();
            due += Known.orNaN(step.figures().offeredPerSecond()) * step.seconds();
        }
        return came / due;
    }

    private double perSecond(List<Figures> figures, Function<Figures, @Nullable Double> rate) {
        double sum = 0;
        double seconds = 0;
        for (int i = 0; i < figures.size(); i++) {
            double weight = figures.size() == 1
                    ? 1
                    : TimeScope.steps(e.during(), trial.result()).get(i).seconds();
            sum += Known.orNaN(rate.apply(figures.get(i))) * weight;
            seconds += weight;
        }
        return sum / seconds;
    }

    private double ofWindows(List<WindowRow> rows) {
        if (rows.isEmpty()) {
            return Double.NaN;
        }
        double seconds = rows.stream().mapToDouble(WindowRow::seconds).sum();
        return switch (e.metric().kind()) {
            case COUNT -> sum(rows, Count.of(e.metric().name()));
            case RATE -> RateKind.of(e.metric().name()).amount(count -> sum(rows, count)) / seconds;
            case SHARE -> sum(rows, Count.DUE) == 0 ? Double.NaN : sum(rows, Count.ACKED) / sum(rows, Count.DUE);
            case LAG -> lagOfWindows(rows);
            case LATENCY, SPAN, SEARCH -> throw new AssertionError("the plan let through '" + e.text() + "'");
        };
    }

    private double lagOfWindows(List<WindowRow> rows) {
        ToDoubleFunction<WindowRow> lag = e.unit() == Expectation.Unit.SECONDS ? WindowRow::lagSeconds : WindowRow::lag;
        double[] known = rows.stream()
                .mapToDouble(lag)
                .filter(value -> !Double.isNaN(value))
                .toArray();
        if (known.length == 0) {
            return Double.NaN;
        }
        return e.stat().equals("end")
                ? known[known.length - 1]
                : Arrays.stream(known).max().orElse(Double.NaN);
    }

    private static double sum(List<WindowRow> rows, Count count) {
        return rows.stream().mapToLong(row -> row.of(count)).sum();
    }

    private static double known(@Nullable Long value) {
        return value == null ? Double.NaN : value;
    }

    /**
     * The time of a trial to which an expectation refers: the measured phase, a step (each time it occurs), or another
     * phase.
     *
     * @param steps the numbers of the steps of the messages
     * @param spans the periods, in seconds since the start of the trial's first window
     * @param measured whether the result of the trial has figures for this time
     * @param amid whether the time contains only some windows of a step
     */
    record TimeScope(List<Integer> steps, List<Span> spans, boolean measured, boolean amid) {
        TimeScope {
            steps = List.copyOf(steps);
            spans = List.copyOf(spans);
        }

        record Span(double from, double to) {}

        static TimeScope of(String during, Evidence trial) {
            return switch (during) {
                case "", "measure" -> measured(trial.result().steps());
                case "fill" -> phase(Steps.FILL, "fill", trial.events());
                case "warmup" -> phase(Steps.WARMUP, "warm-up", trial.events());
                case "drain" -> phase(-1, "drain", trial.events());
                default -> {
                    List<Span> disturbed = disturbed(during, trial);
                    yield disturbed.isEmpty()
                            ? measured(steps(during, trial.result()))
                            : new TimeScope(
                                    trial.result().steps().stream()
                                            .map(StepResult::step)
                                            .toList(),
                                    disturbed,
                                    true,
                                    true);
                }
            };
        }

        static List<StepResult> steps(String rate, TrialResult trial) {
            return trial.steps().stream()
                    .filter(step -> step.label().equals(rate) || step.label().equals(rate + " per producer"))
                    .toList();
        }

        private static TimeScope measured(List<StepResult> steps) {
            return new TimeScope(
                    steps.stream().map(StepResult::step).toList(),
                    steps.stream().map(step -> new Span(step.from(), step.to())).toList(),
                    true,
                    false);
        }

        private static List<Span> disturbed(String name, Evidence trial) {
            double end = trial.result().steps().stream()
                    .mapToDouble(step -> step.to())
                    .max()
                    .orElse(0);
            return DisturbedTime.of(trial.events()).stream()
                    .filter(time -> time.name().equals(name))
                    .map(time -> new Span(time.from(), Math.min(end, time.to())))
                    .toList();
        }

        private static TimeScope phase(int step, String name, List<Event> events) {
            List<Event> phases = events.stream()
                    .filter(event -> event.name().equals(Event.PHASE))
                    .toList();
            List<Span> spans = new ArrayList<>();
            for (int i = 0; i < phases.size(); i++) {
                if (phases.get(i).text().equals(name)) {
                    double end = i + 1 < phases.size() ? phases.get(i + 1).second() : Double.POSITIVE_INFINITY;
                    spans.add(new Span(phases.get(i).second(), end));
                }
            }
            return new TimeScope(List.of(step), spans, false, false);
        }

        /** The number of this window, the same in every trial; -1 if the window is not wholly inside the time. */
        int place(double second, double seconds) {
            for (int i = 0; i < spans.size(); i++) {
                Span span = spans.get(i);
                if (second >= span.from && second + seconds <= span.to) {
                    return i * 1_000_000 + (int) (second - span.from);
                }
            }
            return -1;
        }
    }

    /**
     * A figure of one trial, in the unit of its expectation; NaN if the trial has no such figure.
     *
     * @param atLeast whether the figure is a lower bound, because some messages never ended
     * @param thin whether fewer than ten messages are above this percentile
     */
    record FoundFigure(double value, boolean atLeast, boolean thin) {
        static final FoundFigure NOTHING = new FoundFigure(Double.NaN, false, false);

        private static final double MILLI = 1e3;

        static FoundFigure of(@Nullable Double value) {
            return value == null ? NOTHING : new FoundFigure(value, false, false);
        }

        /** The rate at which a trial breaks. Without a broken step, the fastest step is a lower bound. */
        static FoundFigure ofBreakingPoint(TrialResult trial) {
            BreakingPointResult.@Nullable Found found = BreakingPoints.of(trial);
            return found == null
                    ? NOTHING
                    : found.rate() == null
                            ? new FoundFigure(Math.nextUp(found.offered()), true, false)
                            : of(found.rate());
        }

        /** Seconds until readers had caught up. */
        static FoundFigure ofCatchUp(TrialResult trial) {
            CatchUpResult catchUp = trial.catchUp();
            return catchUp == null ? NOTHING : new FoundFigure(catchUp.seconds(), !catchUp.reached(), false);
        }

        boolean nothing() {
            return Double.isNaN(value);
        }

        static FoundFigure of(Expectation e, Latency latency, double bound) {
            return of(e, latency::millis, latency.meanMillis(), latency.count(), bound);
        }

        static FoundFigure of(Expectation e, LatencyResult latency, double bound) {
            return of(e, latency::at, latency.mean(), latency.count(), bound);
        }

        private static FoundFigure of(
                Expectation e, DoubleFunction<@Nullable Double> at, @Nullable Double mean, long count, double bound) {
            double percentile = percentile(e.stat());
            Double millis = e.stat().equals("mean") ? mean : at.apply(percentile);
            return millis == null || count == 0
                    ? NOTHING
                    : new FoundFigure(
                            millis / MILLI, percentile > bound, percentile < 100 && Latency.thin(count, percentile));
        }

        /** The percentile of a statistic; 100 for the maximum and the mean, which every lower bound affects. */
        static double percentile(String stat) {
            return stat.startsWith("p") ? Double.parseDouble(stat.substring(1)) : 100;
        }
    }
}
