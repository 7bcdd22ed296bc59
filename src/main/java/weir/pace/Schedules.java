package weir.pace;

import java.util.List;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;

/** Makes schedules from what the plan asks for. */
@SuppressWarnings("DoNotCallSuggester")
public final class Schedules {
    private Schedules() {}

    /** Whether operations are due when an earlier one is done, so that there is no schedule. */
    public static boolean closed(RateSpec rate) {
        return rate instanceof RateSpec.Max || rate instanceof RateSpec.AtATime;
    }

    /** The schedule of the whole load; each producer takes a {@link Schedule#share} of it. */
    public static Schedule of(RateSpec rate, Length length, int producers, double bytesPerOperation, long seed) {
        throw new UnsupportedOperationException();
    }

    /** The steps of the measured phase, in order; always at least one. */
    public static List<StepWindow> steps(RateSpec rate, MeasureSpec measure, int producers, double bytesPerOperation) {
        throw new UnsupportedOperationException();
    }
}
