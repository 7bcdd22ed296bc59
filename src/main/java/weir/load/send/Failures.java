package weir.load.send;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import weir.measure.Steps;

/** The reasons for failed operations of the measured phase, with counts. Safe for many threads. */
public final class Failures {
    private static final int MOST_REASONS = 50;
    private static final int LONGEST = 300;
    private static final Pattern NUMBERS = Pattern.compile("(?<!HTTP \\d{0,2})\\d+");

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Consumer<String> events;

    public Failures(Consumer<String> events) {
        this.events = events;
    }

    /** Adds a failure. A failure of an earlier phase is reported once but not counted. */
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

    // Numbers differ between records with the same reason. Only an HTTP status stays.
    private static String reason(Throwable why) {
        String text = why.getClass().getSimpleName() + ": " + why.getMessage();
        String shortened = text.length() > LONGEST ? text.substring(0, LONGEST) + " …" : text;
        return NUMBERS.matcher(shortened).replaceAll("#");
    }
}
