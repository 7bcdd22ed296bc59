package weir.results;

/**
 * One rate that a search tried.
 *
 * @param trial the number of the trial
 * @param rate operations per second
 * @param seconds that were measured; fewer than planned where nothing could save it
 * @param why what kept the rate from being held; empty when it was
 */
public record Tried(int trial, double rate, double seconds, Outcome outcome, String why) {
    /** How it went. */
    public enum Outcome {
        HELD,
        REFUSED,
        /** The generator could not offer the rate on time, so nothing is known about the brokers. */
        OURS
    }
}
