package weir.probe.scrape;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import weir.probe.Readings;

/**
 * Readings whose totals never fall for a moment: a total below one that was seen before is left out, and only one that stays below
 * is a source that began anew. Otherwise its return would be a spike.
 */
final class RisingTotals implements Readings {
    private final Readings into;
    private final Map<String, Double> highest = new HashMap<>();
    private final Set<String> fallen = new HashSet<>();

    RisingTotals(Readings into) {
        this.into = into;
    }

    private boolean rises(String metric, double total) {
        double before = highest.getOrDefault(metric, Double.NEGATIVE_INFINITY);
        if (total < before && fallen.add(metric)) {
            absent(metric, "its counter went backwards");
            return false;
        }
        fallen.remove(metric);
        highest.put(metric, total);
        return true;
    }

    @Override
    public void level(String metric, double value) {
        into.level(metric, value);
    }

    @Override
    public void rate(String metric, double total) {
        if (rises(metric, total)) {
            into.rate(metric, total);
        }
    }

    @Override
    public void count(String metric, double total) {
        if (rises(metric, total)) {
            into.count(metric, total);
        }
    }

    @Override
    public void mean(String metric, double sum, double count) {
        if (rises(metric, count)) {
            into.mean(metric, sum, count);
        }
    }

    @Override
    public void absent(String metric, String why) {
        into.absent(metric, why);
    }

    @Override
    public void gone(String why) {
        into.gone(why);
    }
}
