package weir.pace;

import java.util.ArrayList;
import java.util.List;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;

/** The factory of schedules, from a plan's rates. */
public final class Schedules {
    private static final double NANOS = 1e9;

    private Schedules() {}

    /**
     * Returns the schedule of the whole load, of which each producer takes a {@link Schedule#share}. A longer length
     * than the rate's own holds the last rate, a shorter one cuts it.
     */
    public static Schedule of(RateSpec rate, MeasureSpec length, RateSpec.Senders senders, long seed) {
        boolean own = length.asLongAsRates();
        long end = own || length.counted() ? Schedule.NEVER : length.length().toNanos();
        long operations = length.counted() ? length.operations() : Long.MAX_VALUE;
        List<RateSpec.Part> parts = rate.parts(senders);
        if (!parts.isEmpty()) {
            return Piecewise.schedule(own ? parts : RateSpec.Part.held(parts, end), operations);
        }
        if (rate instanceof RateSpec.Ramp r) {
            ClosedFormSchedule.Form ramp = new Ramp(
                    senders.operations(r.from(), false),
                    senders.operations(r.to(), false),
                    r.over().toNanos() / NANOS,
                    own ? r.over().toNanos() : end);
            return new ClosedFormSchedule(() -> ramp, operations);
        }
        if (rate instanceof RateSpec.Poisson p) {
            return new Poisson(senders.operations(p.rate(), false), end, operations, seed);
        }
        if (rate instanceof RateSpec.Burst b) {
            long atOnce = b.operations();
            long everyNanos = b.every().toNanos();
            ClosedFormSchedule.Form burst = n -> {
                long due = n / atOnce * everyNanos;
                return due < end ? due : Schedule.NEVER;
            };
            return new ClosedFormSchedule(() -> burst, operations);
        }
        throw new IllegalArgumentException("'" + rate.text() + "' is no open loop, so nothing is due at a time");
    }

    /** Returns the steps of the measured phase in order, at least one. */
    public static List<StepWindow> steps(RateSpec rate, MeasureSpec measure, RateSpec.Senders senders) {
        if (!rate.steps().isEmpty() && measure.asLongAsRates()) {
            List<StepWindow> windows = new ArrayList<>();
            for (RateSpec.Part part : rate.parts(senders)) {
                windows.add(new StepWindow(
                        part.step(),
                        part.startNanos(),
                        part.endNanos() - part.startNanos(),
                        part.perSecond(),
                        rate.steps().get(part.step()).text()));
            }
            return windows;
        }
        long own = measure.asLongAsRates() ? rate.length().toNanos() : 0;
        long asked = measure.counted() || measure.asLongAsRates()
                ? Schedule.NEVER
                : measure.length().toNanos();
        long length = own > 0 ? own : asked;
        return List.of(new StepWindow(0, 0, length, rate.mean(senders, length), rate.text()));
    }
}
