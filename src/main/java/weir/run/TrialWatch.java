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
 * A watch that ends a trial or a step after several consecutive windows below the offered rate. Subclasses define the
 * rule. Due messages are not used, because a blocked sender counts them late.
 */
abstract class TrialWatch implements Consumer<WindowRow> {
    private final int ignoredWindows;
    private final int badWindows;
    private final Runnable stop;
    private int windows;
    private int bad;
    private boolean over;

    /**
     * @param ignoredWindows the number of windows at the beginning that never count
     * @param badWindows the number of consecutive bad windows of the rule
     */
    private TrialWatch(int ignoredWindows, int badWindows, Runnable stop) {
        this.ignoredWindows = ignoredWindows;
        this.badWindows = badWindows;
        this.stop = stop;
    }

    abstract boolean behind(WindowRow row);

    /** {@code lasting} is true after {@code badWindows} consecutive bad windows. */
    abstract boolean ends(WindowRow row, boolean lasting);

    @Override
    public synchronized void accept(WindowRow row) {
        boolean behind = behind(row);
        windows++;
        bad = windows > ignoredWindows && behind ? bad + 1 : 0;
        if (!over && ends(row, bad >= badWindows)) {
            over = true;
            stop.run();
        }
    }

    void restart() {
        windows = 0;
        bad = 0;
    }

    synchronized boolean seen() {
        return over;
    }

    /** Ends a step by the rule for broken steps if the load has {@code stop: broken}; never ends other loads. */
    static TrialWatch broken(Variant variant, Runnable stop) {
        double[] rates = {};
        if (variant.load().rate() instanceof RateSpec.Steps steps && steps.stopWhenBroken()) {
            rates = steps.parts(variant.load().senders()).stream()
                    .mapToDouble(part -> part.perSecond() * Demand.records(variant))
                    .toArray();
        }
        return new Broken(rates, stop);
    }

    /** Ends a trial of a search that can no longer keep its limits. */
    static TrialWatch hopeless(Variant variant, List<Expectation> limits, Runnable stop) {
        RateSpec rate = variant.load().rate();
        double offered =
                rate instanceof RateSpec.Fixed ? rate.highest(variant.load().senders()) * Demand.records(variant) : 0;
        double messages = offered * variant.measure().length().toNanos() / 1e9;
        List<Slowest> slowest = limits.stream()
                .filter(limit -> messages > 0 && Slowest.is(limit))
                .map(limit -> Slowest.of(limit, messages))
                .toList();
        return new Hopeless(offered, slowest, stop);
    }

    /**
     * The rule of a broken step: {@link RateRule} calls the step broken, and three consecutive windows had failures or
     * acknowledged less than 95 % of the offered rate. The first two windows of a step do not count.
     */
    private static final class Broken extends TrialWatch {
        /** The offered rate of each step, in records per second. */
        private final double[] rates;

        private int step;
        private double due;
        private double acked;
        private double failed;

        Broken(double[] rates, Runnable stop) {
            super(2, 3, stop);
            this.rates = rates;
        }

        @Override
        boolean behind(WindowRow row) {
            if (row.step() != step) {
                step = row.step();
                restart();
                due = 0;
                acked = 0;
                failed = 0;
            }
            int part = step - Steps.MEASURE;
            double wanted = part < 0 || part >= rates.length ? 0 : rates[part] * row.seconds();
            due += wanted;
            acked += row.acked();
            failed += row.failed();
            return wanted > 0 && (row.failed() > 0 || RateRule.broken(row.acked() / wanted, 0, wanted));
        }

        @Override
        boolean ends(WindowRow row, boolean lasting) {
            return lasting && RateRule.broken(acked / due, failed, due);
        }
    }

    /**
     * The rule of a hopeless trial: two consecutive windows had failures, or less than 90 % of the offered rate. It
     * also holds if more messages exceed a percentile limit than the limit permits. All windows but the first count; at
     * least one second is measured.
     */
    private static final class Hopeless extends TrialWatch {
        private final double offeredPerSecond;
        private final List<Slowest> slowest;
        private final double[] slow;
        private double measuredSecond = Double.NaN;
        private boolean reads;

        Hopeless(double offeredPerSecond, List<Slowest> slowest, Runnable stop) {
            super(1, 2, stop);
            this.offeredPerSecond = offeredPerSecond;
            this.slowest = slowest;
            this.slow = new double[slowest.size()];
        }

        @Override
        boolean behind(WindowRow row) {
            reads |= row.received() > 0;
            double wanted = offeredPerSecond * row.seconds();
            return row.failed() > 0
                    || RateRule.hopeless(row.acked() / wanted)
                    || (reads && RateRule.hopeless(row.received() / wanted));
        }

        @Override
        boolean ends(WindowRow row, boolean lasting) {
            return row.step() >= Steps.MEASURE && (tooSlow(row) || lasting);
        }

        /** Late answers to messages of the warm-up do not count as measured messages. */
        private boolean tooSlow(WindowRow row) {
            measuredSecond = Double.isNaN(measuredSecond) ? row.second() : measuredSecond;
            boolean any = false;
            for (int i = 0; i < slow.length; i++) {
                Slowest limit = slowest.get(i);
                boolean measured = row.second() - measuredSecond
                        >= row.latency(limit.kind()).max() / 1_000;
                slow[i] += measured ? limit.in(row) : 0;
                any |= slow[i] > limit.messages();
            }
            return any;
        }
    }

    private record Slowest(LatencyKind kind, double millis, double messages) {
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
}
