package weir.feature.tune;

import java.time.Duration;

/**
 * The time budget of a settings search, in seconds. A pair of trials measures a point: one trial at full speed and one
 * at the common rate.
 */
record TuneBudget(TuneSpec asked, long points) {
    /** The fewest rounds of the finals, as a verdict requires. */
    static final int ROUNDS = 4;

    private static final int MOST_ROUNDS = 8;

    static final int MOST_FINALISTS = 6;

    private static final int FEWEST_FINALISTS = 2;
    private static final int FEWEST_TRIED = 6;

    /** Seconds of a trial in addition to its phases, for topics, connections and its end. */
    private static final double BESIDE = 1.5;

    /** The factor on a pair of trials in the finals, which also check the records. */
    private static final double READ_BACK = 1.25;

    private static final int MOST_OF_A_POINT = 4;

    private static final double SHARE_OF_FINALS = 0.4;

    double pair() {
        return 2 * (seconds(asked.warmup()) + seconds(asked.measure()) + BESIDE);
    }

    double warmUpSeconds() {
        return seconds(asked.warmUpLength()) + BESIDE;
    }

    /** Returns the duration of the smallest useful search: a few points, and finals with defaults and two finalists. */
    double least() {
        return warmUpSeconds()
                + pair() * (Math.min(points, FEWEST_TRIED) + READ_BACK * ROUNDS * (1 + FEWEST_FINALISTS));
    }

    int finalists(double pair) {
        double each = ROUNDS * pair * READ_BACK;
        long fit = (long) (SHARE_OF_FINALS * seconds(asked.budget()) / each) - 1;
        return (int) Math.max(FEWEST_FINALISTS, Math.min(MOST_FINALISTS, fit));
    }

    /** The rounds of finals that begin after {@code elapsed} seconds; {@code points} includes the defaults. */
    int rounds(double elapsed, double pair, int points) {
        long fit = (long) ((seconds(asked.budget()) - elapsed) / (pair * READ_BACK * points));
        return (int) Math.max(ROUNDS, Math.min(MOST_ROUNDS, fit));
    }

    /** True if another pair precedes the finals: too few points were tried, or time remains for repeats. */
    boolean another(int tried, double elapsed, double pair) {
        boolean few = tried < Math.min(points, FEWEST_TRIED);
        boolean time = elapsed + pair + ROUNDS * (1 + finalists(pair)) * pair * READ_BACK <= seconds(asked.budget());
        return few || (time && tried < MOST_OF_A_POINT * points);
    }

    static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
