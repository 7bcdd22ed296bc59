package weir.probe;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns what one probe reads, look after look, into readings. */
final class Meter implements Readings {
    private final String source;
    private Map<String, Mark> marks = new HashMap<>();
    private Map<String, Mark> before = new HashMap<>();
    private Map<String, Absence> absences = new TreeMap<>();
    private Map<String, Absence> absentBefore = new TreeMap<>();
    private List<Reading> readings = new ArrayList<>();
    private long second;
    private double elapsedSeconds;
    private boolean ended;

    private record Mark(double total, double weight) {}

    Meter(String source) {
        this.source = source;
    }

    /** Begins the look that closes {@code second} and comes so many seconds after the one before. */
    void begin(long second, double elapsedSeconds) {
        this.second = second;
        this.elapsedSeconds = elapsedSeconds;
        // A total that is not there this time has no difference the next time either, so marks live for one look.
        before = marks;
        marks = new HashMap<>();
        absentBefore = absences;
        absences = new TreeMap<>();
        readings = new ArrayList<>();
    }

    List<Reading> readings() {
        return readings;
    }

    List<Absence> absences() {
        return List.copyOf(absences.values());
    }

    boolean ended() {
        return ended;
    }

    @Override
    public void level(String metric, double value) {
        // A source that divides by nothing says NaN, which is "not known".
        if (Double.isFinite(value)) {
            readings.add(new Reading(second, source, metric, value));
        }
    }

    @Override
    public void rate(String metric, double total) {
        Mark old = replace(metric, new Mark(total, 0));
        if (old != null) {
            level(metric, (total - old.total) / elapsedSeconds);
        }
    }

    @Override
    public void count(String metric, double total) {
        Mark old = replace(metric, new Mark(total, 0));
        if (old != null) {
            level(metric, total - old.total);
        }
    }

    @Override
    public void mean(String metric, double sum, double count) {
        Mark old = replace(metric, new Mark(sum, count));
        if (old != null && count > old.weight) {
            level(metric, (sum - old.total) / (count - old.weight));
        }
    }

    @Override
    public void absent(String metric, String why) {
        Absence same = absentBefore.get(metric);
        absences.put(metric, new Absence(source, metric, why, same == null ? second : same.sinceSecond()));
    }

    @Override
    public void gone(String why) {
        absent("*", why);
        ended = true;
    }

    /** The mark of the look before, unless there is none that this one can be compared with. */
    private @Nullable Mark replace(String metric, Mark now) {
        marks.put(metric, now);
        Mark old = before.get(metric);
        if (old != null && (now.total < old.total || now.weight < old.weight)) {
            // Wrapped or reset: which of the two cannot be told, and guessing would invent a spike.
            absent(metric, "its counter went backwards");
            return null;
        }
        return old;
    }

    static String reason(Exception e) {
        if (e instanceof NoSuchFileException) {
            return e.getMessage() + " is not there";
        }
        if (e instanceof AccessDeniedException) {
            return e.getMessage() + " may not be read by this user";
        }
        String message = e.getMessage();
        return message == null ? e.toString() : message;
    }
}
