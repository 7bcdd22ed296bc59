package weir.pace;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import weir.pace.Piecewise.Piece;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.trial.ReplayedRates;

/** Makes schedules from what the plan asks for. */
public final class Schedules {
    private static final double NANOS = 1e9;

    private Schedules() {}

    /**
     * The schedule of the whole load; each producer takes a {@link Schedule#share} of it. A length that is longer than
     * the rate's own holds the last rate, a shorter one cuts it.
     */
    public static Schedule of(RateSpec rate, Length length, int producers, double bytesPerOperation, long seed) {
        Unit unit = new Unit(producers, bytesPerOperation);
        long end = length instanceof Length.For l ? l.length().toNanos() : Schedule.NEVER;
        long operations = length instanceof Length.Operations o ? o.operations() : Long.MAX_VALUE;
        if (rate instanceof RateSpec.Fixed || rate instanceof RateSpec.Steps || rate instanceof RateSpec.Replay) {
            List<Piece> pieces = pieces(rate, unit);
            return new Piecewise(length instanceof Length.Own ? pieces : held(pieces, end), operations);
        }
        if (rate instanceof RateSpec.Ramp r) {
            return new Ramp(
                    unit.perSecond(r.from(), false),
                    unit.perSecond(r.to(), false),
                    r.over().toNanos() / NANOS,
                    length instanceof Length.Own ? r.over().toNanos() : end,
                    operations);
        }
        if (rate instanceof RateSpec.Poisson p) {
            return new Poisson(unit.perSecond(p.rate(), false), end, operations, seed);
        }
        if (rate instanceof RateSpec.Burst b) {
            return new Burst(b.operations(), b.every().toNanos(), end, operations);
        }
        throw new IllegalArgumentException("'" + label(rate) + "' is no open loop, so nothing is due at a time");
    }

    /** The steps of the measured phase, in order; always at least one. */
    public static List<StepWindow> steps(RateSpec rate, MeasureSpec measure, int producers, double bytesPerOperation) {
        Unit unit = new Unit(producers, bytesPerOperation);
        if (rate instanceof RateSpec.Steps steps && measure instanceof MeasureSpec.AsLongAsRates) {
            List<StepWindow> windows = new ArrayList<>();
            for (Piece piece : pieces(steps, unit)) {
                RateSpec.Step step = steps.steps().get(piece.step());
                windows.add(new StepWindow(
                        piece.step(),
                        piece.startNanos(),
                        piece.endNanos() - piece.startNanos(),
                        piece.perSecond(),
                        label(step.rate(), step.perProducer())));
            }
            return windows;
        }
        long length = lengthNanos(rate, measure, unit);
        return List.of(new StepWindow(0, 0, length, offered(rate, length, unit), label(rate)));
    }

    private static long lengthNanos(RateSpec rate, MeasureSpec measure, Unit unit) {
        if (measure instanceof MeasureSpec.For f) {
            return f.length().toNanos();
        }
        if (measure instanceof MeasureSpec.AsLongAsRates && rate instanceof RateSpec.Ramp r) {
            return r.over().toNanos();
        }
        if (measure instanceof MeasureSpec.AsLongAsRates && rate instanceof RateSpec.Replay) {
            List<Piece> pieces = pieces(rate, unit);
            return pieces.get(pieces.size() - 1).endNanos();
        }
        return Schedule.NEVER;
    }

    private static double offered(RateSpec rate, long lengthNanos, Unit unit) {
        if (rate instanceof RateSpec.Fixed f) {
            return unit.perSecond(f.rate(), f.perProducer());
        }
        if (rate instanceof RateSpec.Poisson p) {
            return unit.perSecond(p.rate(), false);
        }
        if (rate instanceof RateSpec.Burst b) {
            // Counted as they are due: a length that is no multiple of the interval holds the last one's burst whole.
            double every = b.every().toNanos();
            return lengthNanos == Schedule.NEVER
                    ? b.operations() * NANOS / every
                    : b.operations() * Math.ceil(lengthNanos / every) * NANOS / lengthNanos;
        }
        if (rate.closed() || lengthNanos == Schedule.NEVER) {
            return Double.NaN;
        }
        if (rate instanceof RateSpec.Ramp r) {
            double over = r.over().toNanos() / NANOS;
            double seconds = lengthNanos / NANOS;
            double from = unit.perSecond(r.from(), false);
            double to = unit.perSecond(r.to(), false);
            double inRamp = Math.min(seconds, over);
            double at = over == 0 ? to : from + (to - from) * inRamp / over;
            return ((from + at) / 2 * inRamp + to * (seconds - inRamp)) / seconds;
        }
        double operations = 0;
        for (Piece piece : held(pieces(rate, unit), lengthNanos)) {
            operations += piece.perSecond() * (piece.endNanos() - piece.startNanos()) / NANOS;
        }
        return operations * NANOS / lengthNanos;
    }

    private static List<Piece> pieces(RateSpec rate, Unit unit) {
        if (rate instanceof RateSpec.Fixed f) {
            return List.of(new Piece(0, 0, Schedule.NEVER, unit.perSecond(f.rate(), f.perProducer())));
        }
        if (rate instanceof RateSpec.Replay r) {
            return ReplayedRates.read(r.file()).spans().stream()
                    .map(span -> new Piece(0, span.startNanos(), span.endNanos(), span.perSecond()))
                    .toList();
        }
        if (rate instanceof RateSpec.Steps s) {
            List<Piece> pieces = new ArrayList<>();
            long start = 0;
            for (RateSpec.Step step : s.steps()) {
                long end = Math.addExact(start, step.length().toNanos());
                pieces.add(new Piece(pieces.size(), start, end, unit.perSecond(step.rate(), step.perProducer())));
                start = Math.addExact(end, s.rest().toNanos());
            }
            return pieces;
        }
        throw new AssertionError(rate);
    }

    /** The same up to {@code endNanos}: what begins later is dropped, and the last rate held. */
    private static List<Piece> held(List<Piece> pieces, long endNanos) {
        List<Piece> held = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            Piece p = pieces.get(i);
            boolean last = i == pieces.size() - 1;
            if (p.startNanos() < endNanos) {
                long end = last ? endNanos : Math.min(p.endNanos(), endNanos);
                held.add(new Piece(p.step(), p.startNanos(), end, p.perSecond()));
            }
        }
        return held.isEmpty() ? List.of(new Piece(0, 0, endNanos, 0)) : held;
    }

    private static String label(RateSpec rate) {
        if (rate instanceof RateSpec.Max) {
            return "max";
        }
        if (rate instanceof RateSpec.AtATime a) {
            return (a.operations() == 1 ? "one" : a.operations()) + " at a time";
        }
        if (rate instanceof RateSpec.Fixed f) {
            return label(f.rate(), f.perProducer());
        }
        if (rate instanceof RateSpec.OfCapacity c) {
            return plain(c.share().share() * 100) + "% of capacity";
        }
        if (rate instanceof RateSpec.Steps s) {
            return s.steps().size() + " steps";
        }
        if (rate instanceof RateSpec.Ramp r) {
            return "ramp " + label(r.from(), false) + " to " + label(r.to(), false);
        }
        if (rate instanceof RateSpec.Poisson p) {
            return "poisson " + label(p.rate(), false);
        }
        if (rate instanceof RateSpec.Burst b) {
            return "burst " + b.operations() + " every " + seconds(b.every());
        }
        if (rate instanceof RateSpec.Replay r) {
            return "replay " + r.file().getFileName();
        }
        throw new AssertionError(rate);
    }

    private static String label(Rate rate, boolean perProducer) {
        return rate.text() + (perProducer ? " per producer" : "");
    }

    private static String seconds(Duration time) {
        return plain(time.toNanos() / NANOS) + "s";
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /** Turns what a rate counts into operations of the whole load. */
    private record Unit(int producers, double bytesPerOperation) {
        double perSecond(Rate rate, boolean perProducer) {
            double operations =
                    rate.unit() == Rate.Unit.BYTES ? rate.perSecond() / bytesPerOperation : rate.perSecond();
            return perProducer ? operations * producers : operations;
        }
    }
}
