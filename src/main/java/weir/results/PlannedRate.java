package weir.results;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The rate that the settings of a trial request; empty without a rate. */
public record PlannedRate(String text) {
    private static final String RATE = "load.rate";
    private static final String MAX = "max";
    private static final Pattern CLOSED = Pattern.compile(MAX + "|.* at a time");

    public static PlannedRate of(SortedMap<String, String> settings) {
        String rate = settings.get(RATE);
        if (rate != null) {
            return new PlannedRate(rate);
        }
        SortedMap<String, String> form = new TreeMap<>(settings.subMap(RATE + ".", RATE + "/"));
        return new PlannedRate(form.entrySet().stream()
                .map(PlannedRate::part)
                .reduce((a, b) -> a + ", " + b)
                .orElse(MAX));
    }

    private static String part(Map.Entry<String, String> setting) {
        return setting.getKey().substring(RATE.length() + 1).replace('.', ' ') + " " + setting.getValue();
    }

    public boolean paced() {
        return !CLOSED.matcher(text).matches();
    }

    public String words() {
        return text.equals(MAX) || text.isEmpty() ? "at maximum rate" : paced() ? text : text + " in a closed loop";
    }
}
