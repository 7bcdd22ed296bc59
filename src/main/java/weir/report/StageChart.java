package weir.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import weir.judge.waterfall.RequestSeries.Look;
import weir.judge.waterfall.RequestSeries.RequestKind;
import weir.judge.waterfall.StageTimes;
import weir.judge.waterfall.StageTimes.RequestTime;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Downsampling;
import weir.report.block.Plot;
import weir.report.block.Table;
import weir.results.WindowRow;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/**
 * The stages of a kind of request over a trial, stacked: means of all requests that ended in a stretch at any broker.
 *
 * @param rows the seconds of the trial, for the response of the client
 */
record StageChart(String trial, RequestKind kind, List<Look> looks, TrialResult result, List<WindowRow> rows) {
    private static final int WIDTH = 1080;
    private static final int HEIGHT = 250;
    private static final int STRETCHES = 240;

    private static final int POINTS = 420;

    private static final String READ_APART =
            "Stages and total are read one after the other: a request that ends meanwhile is in one row for some and in the next"
                    + " for others.";

    private static final int ROWS = 30;
    private static final int MOST = 6;

    StageChart {
        looks = List.copyOf(looks);
        rows = List.copyOf(rows);
    }

    static List<Block> of(List<StageChart> all) {
        if (all.isEmpty()) {
            return List.of();
        }
        List<Block> charts = new ArrayList<>();
        for (StageChart chart : all.subList(0, Math.min(MOST, all.size()))) {
            double high = all.stream()
                    .filter(other -> other.kind == chart.kind)
                    .mapToDouble(StageChart::high)
                    .max()
                    .orElse(1);
            charts.add(chart.block("t-stages-" + charts.size(), high));
        }
        return all.size() <= MOST
                ? List.of(Block.charts(charts))
                : List.of(
                        Block.charts(charts),
                        Block.note("The stages over time are drawn of the first " + MOST + " of " + all.size() + "."));
    }

    private Block block(String id, double high) {
        List<Block.Key> keys = new ArrayList<>();
        for (RequestTime stage : stages()) {
            keys.add(new Block.Key(word(stage), color(stage) + " block"));
        }
        if (kind == RequestKind.PRODUCE) {
            keys.add(new Block.Key("response p50 of each second", "c5 dashed"));
        }
        return new Block.Chart(
                "Inside the brokers, " + kind.word() + ", trial " + trial + " (ms)",
                "wide",
                READ_APART
                        + (kind == RequestKind.PRODUCE
                                ? ""
                                : " Remote, waiting for something to read, is left out of the picture: it delays no record."),
                keys,
                List.of(drawing(high)),
                table().as(id, "Mean milliseconds of a request, " + kind.word() + ", trial " + trial)
                        .folded());
    }

    static String color(RequestTime stage) {
        return switch (stage) {
            case REQUEST_QUEUE -> "c6";
            case LOCAL -> "c1";
            case REMOTE -> "c7";
            case RESPONSE_QUEUE -> "c6 pale";
            case RESPONSE_SEND -> "c3 pale";
            case TOTAL, THROTTLE -> "c8";
        };
    }

    private String word(RequestTime stage) {
        return stage == RequestTime.REMOTE ? kind.remote() : stage.word();
    }

    private List<RequestTime> stages() {
        return RequestTime.STAGES.stream()
                .filter(stage -> stage != RequestTime.REMOTE || kind == RequestKind.PRODUCE)
                .toList();
    }

    private double high() {
        double response = kind == RequestKind.PRODUCE
                ? rows.stream()
                        .filter(row -> row.second() >= looks.get(0).from()
                                && row.second() < looks.get(looks.size() - 1).to())
                        .mapToDouble(row -> row.response().p50())
                        .filter(p50 -> !Double.isNaN(p50))
                        .max()
                        .orElse(0)
                : 0;
        return Math.max(response, stacked());
    }

    private double stacked() {
        return stretches(looks, STRETCHES).stream()
                .filter(look -> look.times().requests() > 0)
                .mapToDouble(look -> stages().stream()
                        .mapToDouble(look.times()::mean)
                        .filter(mean -> !Double.isNaN(mean))
                        .sum())
                .max()
                .orElse(0);
    }

    private Plot drawing(double high) {
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
        Plot plot = new Plot(
                "Stages of a request over time, " + kind.word() + ", trial " + trial,
                new AxisScale.Linear(first, last),
                AxisScale.fromZero(Math.max(0.1, high * 1.15)),
                WIDTH,
                HEIGHT,
                16);
        List<StepResult> steps = result.steps();
        for (int i = 0; i < steps.size(); i++) {
            StepResult step = steps.get(i);
            plot.band(
                    Math.max(first, step.from()),
                    Math.min(last, step.from() + step.seconds()),
                    NumberFormat.step(step.label()),
                    i % 2 == 0 ? "step" : "step even");
        }
        for (DisturbanceResult one : result.disturbances()) {
            Double over = one.to();
            plot.band(Math.max(first, one.from()), over == null ? last : Math.min(last, over), one.name(), "disturbed");
        }
        plot.axes("s", "ms");
        for (RequestTime stage : stages()) {
            double[] highs = lows.clone();
            for (int i = 0; i < seen.size(); i++) {
                double mean = seen.get(i).times().mean(stage);
                highs[2 * i] += Double.isNaN(mean) ? 0 : mean;
                highs[2 * i + 1] += Double.isNaN(mean) ? 0 : mean;
            }
            plot.area(times, lows, highs, "solid " + color(stage));
            lows = highs;
        }
        if (kind == RequestKind.PRODUCE) {
            Downsampling seconds = new Downsampling((int) first, (int) Math.ceil(last - first), POINTS);
            plot.line(seconds.times(), seconds.of(responses((int) first, last)), "c5 dashed", "");
        }
        result.disturbances().stream()
                .filter(one -> one.from() >= first && one.from() <= last)
                .forEach(one -> plot.mark(one.from(), one.name()));
        return plot;
    }

    /** Returns response p50 of each second; NaN where no message was acked. */
    private double[] responses(int first, double last) {
        double[] responses = new double[(int) Math.ceil(last - first)];
        Arrays.fill(responses, Double.NaN);
        for (WindowRow row : rows) {
            int at = (int) row.second() - first;
            if (at >= 0 && at < responses.length) {
                responses[at] = row.response().p50();
            }
        }
        return responses;
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
