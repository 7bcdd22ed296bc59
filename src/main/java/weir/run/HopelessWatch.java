package weir.run;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import weir.judge.RateRule;
import weir.measure.LatencyKind;
import weir.measure.Steps;
import weir.plan.Expectation;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.trial.Demand;
import weir.results.WindowRow;

/**
 * The watch that ends a search's trial when it cannot hold its limits any more: two windows in a row acknowledged or
 * received less than 90 % of the offered rate or contained failures, or more messages took longer than a percentile
 * limit allows for all that are due. Windows of the warm-up count, except the first; at least one second is measured.
 */
final class HopelessWatch implements Consumer<WindowRow> {
    private static final int BAD_WINDOWS = 2;
    private static final int PATIENCE = 1;

    private final double offeredPerSecond;
    private final List<Slowest> slowest;
    private final Runnable stop;
    private final double[] slow;
    private double measuredSecond = Double.NaN;
    private int windows;
    private int bad;
    private boolean reads;
    private boolean over;

    record Slowest(LatencyKind kind, double millis, double messages) {
        static Slowest of(Expectation limit, double messages) {
            double share = 1 - Double.parseDouble(limit.stat().substring(1)) / 100;
            return new Slowest(
                    LatencyKind.valueOf(limit.metric().name().toUpperCase(Locale.ROOT)),
                    limit.value() * 1_000,
                    share * messages);
        }

        static boolean is(Expectation limit) {
            boolean upper =
                    limit.operator() == Expectation.Operator.BELOW || limit.operator() == Expectation.Operator.AT_MOST;
            return upper
                    && !limit.byWindow()
                    && List.of("response", "e2e").contains(limit.metric().name())
                    && limit.stat().matches("p[0-9.]+");
        }

        double in(WindowRow row) {
            WindowRow.Spread spread = row.latency(kind);
            double share =
                    spread.p50() > millis ? 0.5 : spread.p99() > millis ? 0.01 : spread.p999() > millis ? 0.001 : 0;
            return share * (kind == LatencyKind.E2E ? row.received() : row.acked());
        }
    }

    /** Calls {@code stop} at most once; {@code offeredPerSecond} counts records. */
    HopelessWatch(double offeredPerSecond, List<Slowest> slowest, Runnable stop) {
        this.offeredPerSecond = offeredPerSecond;
        this.slowest = slowest;
        this.stop = stop;
        this.slow = new double[slowest.size()];
    }

    static HopelessWatch of(Variant variant, List<Expectation> limits, Runnable stop) {
        RateSpec rate = variant.load().rate();
        double offered =
                rate instanceof RateSpec.Fixed ? rate.highest(variant.load().senders()) * Demand.records(variant) : 0;
        double messages = offered * variant.measure().length().toNanos() / 1e9;
        List<Slowest> slowest = limits.stream()
                .filter(Slowest::is)
                .map(limit -> Slowest.of(limit, messages))
                .toList();
        return new HopelessWatch(offered, messages == 0 ? List.of() : slowest, stop);
    }

    @Override
    public synchronized void accept(WindowRow row) {
        reads |= row.received() > 0;
        windows++;
        // Due messages are counted when a sender reaches them, so a blocked sender counts them late.
        double wanted = offeredPerSecond * row.seconds();
        boolean behind =
                RateRule.hopeless(row.acked() / wanted) || (reads && RateRule.hopeless(row.received() / wanted));
        bad = windows > PATIENCE && (row.failed() > 0 || behind) ? bad + 1 : 0;
        if (!over && row.step() >= Steps.MEASURE && (tooSlow(row) || bad >= BAD_WINDOWS)) {
            over = true;
            stop.run();
        }
    }

    /** Late answers to messages of the warm-up do not count among the measured messages. */
    private boolean tooSlow(WindowRow row) {
        measuredSecond = Double.isNaN(measuredSecond) ? row.second() : measuredSecond;
        boolean any = false;
        for (int i = 0; i < slow.length; i++) {
            Slowest limit = slowest.get(i);
            boolean measured =
                    row.second() - measuredSecond >= row.latency(limit.kind()).max() / 1_000;
            slow[i] += measured ? limit.in(row) : 0;
            any |= slow[i] > limit.messages();
        }
        return any;
    }

    synchronized boolean seen() {
        return over;
    }
}
