package weir.load.send;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import weir.measure.Steps;

/** The reasons for failed operations of the measured phase, with their counts. Any thread adds. */
public final class Failures {
    private static final int MOST_REASONS = 50;
    private static final int LONGEST = 300;
    private static final Pattern NUMBERS = Pattern.compile("(?<!HTTP \\d{0,2})\\d+");

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Consumer<String> events;

    /** {@code events} receives each reason once, at its first occurrence. */
    public Failures(Consumer<String> events) {
        this.events = events;
    }

    /** Adds a failure. A failure of an earlier phase is reported at its first occurrence but not counted. */
    public void add(Throwable why, int step, int operations) {
        String reason = reason(why);
        LongAdder count = counts.get(reason);
        if (count == null) {
            if (counts.size() >= MOST_REASONS) {
                return;
            }
            LongAdder fresh = new LongAdder();
            LongAdder known = counts.putIfAbsent(reason, fresh);
            count = known == null ? fresh : known;
            if (known == null) {
                events.accept("first failure: " + reason);
            }
        }
        if (step >= Steps.MEASURE) {
            count.add(operations);
        }
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        counts.forEach((reason, count) -> {
            if (count.sum() > 0) {
                lines.add(count.sum() + " failed: " + reason);
            }
        });
        return lines;
    }

    // Numbers differ between records with the same reason, except for an HTTP status.
    private static String reason(Throwable why) {
        String text = why.getClass().getSimpleName() + ": " + why.getMessage();
        String shortened = text.length() > LONGEST ? text.substring(0, LONGEST) + " …" : text;
        return NUMBERS.matcher(shortened).replaceAll("#");
    }
}
