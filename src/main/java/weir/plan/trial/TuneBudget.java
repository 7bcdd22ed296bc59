package weir.plan.trial;

import java.time.Duration;
import weir.plan.SearchSpec;

/**
 * How a search over settings divides its time, in seconds. A point costs a pair of trials, one as fast as it goes and one at
 * the common rate.
 *
 * @param points that there are at all
 */
public record TuneBudget(SearchSpec.Tune asked, long points) {
    /** Rounds of the finals: with fewer there is no verdict. */
    public static final int ROUNDS = 4;

    private static final int MOST_ROUNDS = 8;

    /** More points than these are not measured again. */
    public static final int MOST_FINALISTS = 6;

    private static final int FEWEST_FINALISTS = 2;
    private static final int FEWEST_TRIED = 6;

    /** A trial beside its phases: topics, connections, the end. */
    private static final double BESIDE = 1.5;

    /** A pair of the finals is read back, too. */
    private static final double READ_BACK = 1.25;

    private static final int MOST_OF_A_POINT = 4;

    /** The part of the time that may go to the finals. */
    private static final double SHARE_OF_FINALS = 0.4;

    /** Seconds that a pair of trials is expected to take. */
    public double pair() {
        return 2 * (seconds(asked.warmup()) + seconds(asked.measure()) + BESIDE);
    }

    /** Seconds that carrying all there can be takes, before the first pair. */
    public double heating() {
        return seconds(asked.heating()) + BESIDE;
    }

    /** Seconds of the least that answers: the defaults and two finalists, after a few points were tried. */
    public double least() {
        return heating() + pair() * (Math.min(points, FEWEST_TRIED) + READ_BACK * ROUNDS * (1 + FEWEST_FINALISTS));
    }

    /** True when the budget is enough for that. */
    public boolean suffices() {
        return least() <= seconds(asked.budget());
    }

    /** How many points the finals have beside the defaults, where a pair takes so many seconds. */
    public int finalists(double pair) {
        double each = ROUNDS * pair * READ_BACK;
        long fit = (long) (SHARE_OF_FINALS * seconds(asked.budget()) / each) - 1;
        return (int) Math.max(FEWEST_FINALISTS, Math.min(MOST_FINALISTS, fit));
    }

    /** The rounds of the finals that begin after so many seconds, the defaults among so many points: more where time is left. */
    public int rounds(double elapsed, double pair, int points) {
        long fit = (long) ((seconds(asked.budget()) - elapsed) / (pair * READ_BACK * points));
        return (int) Math.max(ROUNDS, Math.min(MOST_ROUNDS, fit));
    }

    /**
     * True when another pair is to be tried before the finals: after so many seconds there is time for it, or too few were; and
     * not for ever in a space of a few points.
     */
    public boolean another(int tried, double elapsed, double pair) {
        boolean few = tried < Math.min(points, FEWEST_TRIED);
        boolean time = elapsed + pair + ROUNDS * (1 + finalists(pair)) * pair * READ_BACK <= seconds(asked.budget());
        return few || (time && tried < MOST_OF_A_POINT * points);
    }

    public static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
