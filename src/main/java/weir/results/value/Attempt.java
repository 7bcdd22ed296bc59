package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * One trial of a search at one rate.
 *
 * @param rate operations per second
 * @param seconds the measured time, shorter than planned for a hopeless attempt
 * @param confirms true for a longer trial that confirms the answer; null in results of older versions
 * @param why the reason why the rate was not sustained; empty if it was
 */
public record Attempt(
        int trial,
        double rate,
        double seconds,
        Outcome outcome,
        @Nullable Boolean confirms,
        String why) {
    public Attempt(int trial, double rate, double seconds, Outcome outcome, String why) {
        this(trial, rate, seconds, outcome, false, why);
    }

    public Attempt asConfirmation() {
        return new Attempt(trial, rate, seconds, outcome, true, why);
    }

    /** The same attempt, marked as disturbed by {@code by}. A disturbed attempt gives no information about the rate. */
    public Attempt disturbed(String by) {
        return new Attempt(trial, rate, seconds, Outcome.DISTURBED, confirms, why + "; disturbed: " + by);
    }

    public boolean confirmation() {
        return Boolean.TRUE.equals(confirms);
    }

    public enum Outcome {
        SUSTAINED,
        REFUSED,
        /** The generator could not send the rate on time, so the attempt gives no information about the brokers. */
        OURS,
        /** Other programs used the machine or the generator stood still, so the rate is unknown. */
        DISTURBED
    }
}
