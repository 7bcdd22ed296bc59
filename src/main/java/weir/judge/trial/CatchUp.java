package weir.judge.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The moment, if any, when readers that were far behind had caught up: the first from which they are at most so many
 * records behind in {@value #LOOKS} looks in a row. Between two looks the lag is taken to change evenly.
 *
 * @param seconds until that moment; where it never came, until the last look
 * @param behind records at the first look, {@code left} at the last one
 * @param expected seconds until it would have come had the lag gone on to shrink as it did on average; NaN where it did not
 *     shrink, or where catching up needs no guess
 */
record CatchUp(boolean reached, double seconds, double behind, double left, double expected) {
    static final int LOOKS = 3;

    /** {@code lag} by seconds since the readers began, the first one at their beginning or before. */
    static CatchUp of(SortedMap<Double, Double> lag, double enough) {
        if (lag.isEmpty()) {
            throw new IllegalArgumentException("nobody looked how far the readers were behind");
        }
        List<Map.Entry<Double, Double>> looks = new ArrayList<>(lag.entrySet());
        double behind = looks.get(0).getValue();
        double left = looks.get(looks.size() - 1).getValue();
        int near = 0;
        for (int i = 0; i < looks.size(); i++) {
            near = looks.get(i).getValue() <= enough ? near + 1 : 0;
            if (near == LOOKS) {
                int first = i - LOOKS + 1;
                double seconds = first == 0 ? 0 : Math.max(0, crossing(looks.get(first - 1), looks.get(first), enough));
                return new CatchUp(true, seconds, behind, left, Double.NaN);
            }
        }
        double seconds = looks.get(looks.size() - 1).getKey();
        double perSecond = (behind - left) / (seconds - looks.get(0).getKey());
        double more = Math.max(0, left - enough) / perSecond;
        return new CatchUp(false, seconds, behind, left, perSecond > 0 ? seconds + more : Double.NaN);
    }

    /**
     * The records that waited when the readers began, of which so many of ours were acked before. A topic may hold others'
     * records; but the first look comes a moment late, and may see some of a second's new ones.
     */
    double backlog(long acked, double perSecond) {
        double more = behind - acked;
        return more > 0 && more < perSecond ? acked : behind;
    }

    private static double crossing(Map.Entry<Double, Double> above, Map.Entry<Double, Double> below, double enough) {
        double share = (above.getValue() - enough) / (above.getValue() - below.getValue());
        return above.getKey() + share * (below.getKey() - above.getKey());
    }
}
