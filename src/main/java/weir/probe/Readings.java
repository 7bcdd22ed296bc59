package weir.probe;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.measure.Reading;

/**
 * The readings of one source. Probes report figures once a second. If a figure is a total, its reading is the growth of
 * the total, so a total may start at any value. A total that falls gives no reading for that second.
 */
public final class Readings {
    /** The longest time between two totals. A difference over a longer time is not valid for its last second. */
    private static final long LONGEST_NANOS = 15_000_000_000L;

    private static final String BACKWARDS = "its counter went backwards";

    private final String source;
    private final boolean skipsLower;
    private final Set<String> fallen = new HashSet<>();
    private final Map<String, Mark> marks = new HashMap<>();
    private Map<String, Absence> absences = new TreeMap<>();
    private Map<String, Absence> absentBefore = new TreeMap<>();
    private List<Reading> readings = new ArrayList<>();
    private long second;
    private long nowNanos;
    private boolean ended;

    private record Mark(double total, double weight, long nanos) {}

    public Readings(String source) {
        this(source, false);
    }

    /**
     * Creates readings. If {@code skipsLower}, a lower total is skipped, and the source counts as restarted only if the
     * total stays lower. If not, the return to the old total would look like a spike.
     */
    public Readings(String source, boolean skipsLower) {
        this.source = source;
        this.skipsLower = skipsLower;
    }

    public void begin(long second, long nowNanos) {
        this.second = second;
        this.nowNanos = nowNanos;
        absentBefore = absences;
        absences = new TreeMap<>();
        readings = new ArrayList<>();
    }

    public List<Reading> readings() {
        return readings;
    }

    List<Absence> absences() {
        return List.copyOf(absences.values());
    }

    boolean ended() {
        return ended;
    }

    public void level(String metric, double value) {
        // NaN from a source, for example after a division by zero, means "unknown".
        if (Double.isFinite(value)) {
            readings.add(new Reading(second, source, metric, value));
        }
    }

    /** Reports a value of a table in KiB. If the table lacks the name, {@code missing} is the format of the reason. */
    void mebibytes(String metric, Map<String, Long> kibibytes, String name, String missing) {
        Long value = kibibytes.get(name);
        if (value == null) {
            absent(metric, String.format(Locale.ROOT, missing, name));
        } else {
            level(metric, value / 1024.0);
        }
    }

    /** Reports a running total; its growth per second is shown. */
    public void rate(String metric, double total) {
        Mark before = replace(metric, total, total);
        if (before != null) {
            level(metric, (total - before.total) * 1e9 / (nowNanos - before.nanos));
        }
    }

    /** Reports a running total; its growth since the previous report is shown. */
    public void count(String metric, double total) {
        Mark before = replace(metric, total, total);
        if (before != null) {
            level(metric, total - before.total);
        }
    }

    /** Reports the mean of the additions to two running totals; nothing without an addition. */
    public void mean(String metric, double sum, double count) {
        Mark before = replace(metric, sum, count);
        // The sum and the count are read at different moments, so the sum may lack an event and seem to decrease.
        if (before != null && count > before.weight && sum >= before.total) {
            level(metric, (sum - before.total) / (count - before.weight));
        }
    }

    public void absent(String metric, String why) {
        Absence same = absentBefore.get(metric);
        absences.put(metric, new Absence(source, metric, why, same == null ? second : same.sinceSecond()));
    }

    /** Reports the end of the observed object, which ends all probes of the object. */
    public void gone(String why) {
        absent("*", why);
        ended = true;
    }

    /** Stores the total and returns the previous total if both are comparable; {@code weight} never decreases. */
    private @Nullable Mark replace(String metric, double total, double weight) {
        Mark last = marks.get(metric);
        if (skipsLower && last != null && weight < last.weight && fallen.add(metric)) {
            absent(metric, BACKWARDS);
            return null;
        }
        fallen.remove(metric);
        Mark before = marks.put(metric, new Mark(total, weight, nowNanos));
        if (before == null || nowNanos - before.nanos > LONGEST_NANOS) {
            return null;
        }
        if (weight < before.weight) {
            // A wrapped counter looks like a reset counter, and a guess could show a false spike.
            absent(metric, BACKWARDS);
            return null;
        }
        return before;
    }

    public void family(String metrics, Look look) {
        try {
            look.at();
        } catch (IOException | IllegalArgumentException e) {
            absent(metrics, reason(e));
        }
    }

    public interface Look {
        void at() throws IOException;
    }

    private static String reason(Exception e) {
        if (e instanceof NoSuchFileException) {
            return e.getMessage() + " does not exist";
        }
        if (e instanceof AccessDeniedException) {
            return "this user may not read " + e.getMessage();
        }
        String message = e.getMessage();
        return message == null ? e.toString() : message;
    }
}
