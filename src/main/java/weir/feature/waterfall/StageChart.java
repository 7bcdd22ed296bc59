package weir.feature.waterfall;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import weir.feature.waterfall.RequestSeries.Look;
import weir.feature.waterfall.RequestSeries.RequestKind;
import weir.feature.waterfall.StageTimes.RequestTime;
import weir.report.TimelineSection;
import weir.report.TrialClock;
import weir.report.TrialView;
import weir.report.block.Axis;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Downsampling;
import weir.report.block.Table;
import weir.results.value.NumberFormat;

/** A stacked chart of request stages over a trial. A value is the mean of all requests that ended in a period. */
record StageChart(TrialView trial, RequestKind kind, List<Look> looks) {
    private static final int STRETCHES = 240;
    private static final int POINTS = 420;
    private static final String READ_APART =
            "Weir reads stages and totals at slightly different times. If a request ends between the two "
                    + "readings, one row has its stages and the next row has its total.";
    private static final int ROWS = 30;
    private static final int MOST = 6;

    StageChart {
        looks = List.copyOf(looks);
    }

    static List<Block> of(List<StageChart> all) {
        if (all.isEmpty()) {
            return List.of();
        }
        // Charts of the same kind have one scale.
        Map<RequestKind, Axis> millis = new EnumMap<>(RequestKind.class);
        List<Block> charts = new ArrayList<>();
        for (StageChart chart : all.subList(0, Math.min(MOST, all.size()))) {
            charts.add(chart.block(
                    "t-stages-" + charts.size(), millis.computeIfAbsent(chart.kind, kind -> Axis.fromZero("ms"))));
        }
        return all.size() <= MOST
                ? List.of(Block.charts(charts))
                : List.of(
                        Block.charts(charts),
                        Block.note(
                                "The charts of stages over time show the first " + MOST + " of " + all.size() + "."));
    }

    private Block block(String id, Axis millis) {
        String of = kind.word() + ", trial " + trial.label();
        List<Look> seen = stretches(looks, STRETCHES);
        double first = seen.get(0).from();
        double last = seen.get(seen.size() - 1).to();
        double[] times = new double[2 * seen.size()];
        double[] lows = new double[times.length];
        for (int i = 0; i < seen.size(); i++) {
            times[2 * i] = seen.get(i).from();
            times[2 * i + 1] = seen.get(i).to();
            lows[2 * i] = seen.get(i).times().requests() == 0 ? Double.NaN : 0;
            lows[2 * i + 1] = lows[2 * i];
        }
        TrialClock clock = new TrialClock(trial);
        Chart chart = TimelineSection.overTime("Inside the brokers, " + of + " (ms)", trial, clock, first, last, millis)
                .wide()
                .note(READ_APART
                        + (kind == RequestKind.PRODUCE
                                ? ""
                                : " The chart omits remote: a fetch waits there for new data, which delays no record."))
                .table(table().as(id, "Mean milliseconds of a request, " + of).folded());
        for (RequestTime stage : RequestTime.STAGES) {
            if (stage == RequestTime.REMOTE && kind != RequestKind.PRODUCE) {
                continue;
            }
            double[] highs = lows.clone();
            for (int i = 0; i < seen.size(); i++) {
                double mean = seen.get(i).times().mean(stage);
                highs[2 * i] += Double.isNaN(mean) ? 0 : mean;
                highs[2 * i + 1] = highs[2 * i];
            }
            millis.cover(highs);
            chart.key(stage == RequestTime.REMOTE ? kind.remote() : stage.word(), stage.color() + " block")
                    .area("solid " + stage.color(), times, lows, highs);
            lows = highs;
        }
        if (kind == RequestKind.PRODUCE) {
            Downsampling seconds = new Downsampling(clock.first(), clock.seconds(), POINTS);
            double[] responses = clock.windows(row -> row.second() >= first && row.second() < last
                    ? row.response().p50()
                    : Double.NaN);
            chart.line("response p50 of each second", "c5 dashed", seconds.times(), seconds.of(responses));
        }
        return chart;
    }

    private Table table() {
        Table.Columns<Look> table = Table.of(1, stretches(looks, ROWS))
                .column(
                        "which seconds",
                        look -> NumberFormat.number(look.from()) + "–" + NumberFormat.number(look.to()))
                .column(
                        "requests",
                        look -> NumberFormat.count(Math.round(look.times().requests())));
        RequestTime.STAGES.forEach(stage -> table.column(
                stage.word(), look -> NumberFormat.millis(look.times().mean(stage))));
        return table.column(
                        RequestTime.TOTAL.word(),
                        look -> NumberFormat.millis(look.times().mean(RequestTime.TOTAL)))
                .table();
    }

    private static List<Look> stretches(List<Look> looks, int most) {
        List<Look> sorted =
                looks.stream().sorted(Comparator.comparingDouble(Look::from)).toList();
        int each = Math.max(1, (sorted.size() + most - 1) / most);
        List<Look> stretches = new ArrayList<>();
        for (int from = 0; from < sorted.size(); from += each) {
            List<Look> few = sorted.subList(from, Math.min(sorted.size(), from + each));
            stretches.add(new Look(
                    few.get(0).broker(),
                    few.get(0).from(),
                    few.get(few.size() - 1).to(),
                    few.stream().map(Look::times).reduce(StageTimes.NONE, StageTimes::plus)));
        }
        return stretches;
    }
}
