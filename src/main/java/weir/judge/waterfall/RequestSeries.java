package weir.judge.waterfall;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.judge.ProbeSeries;

/**
 * The requests of a kind in a trial, look by look. A look tells how many ended since the one before, and how long each stage
 * took them on average; both together are a sum, and sums add up exactly.
 */
public record RequestSeries(List<Look> looks) {
    private static final String BROKER = "broker";
    private static final String MEAN = "mean";

    /** The longest time between two looks of which a difference is made. */
    private static final double LONGEST = 15;

    /** A moment within a second belongs to its nearer end. */
    private static final double HALF = 0.5;

    private static final double SHORT = 1.5;

    /** Seconds from one look to the next at a broker of ours, of all requests but produce requests. */
    private static final double EVERY = 5;

    public RequestSeries {
        looks = List.copyOf(looks);
    }

    /** The requests that ended at a broker between two moments. */
    public record Look(String broker, double from, double to, StageTimes times) {}

    public static RequestSeries of(ProbeSeries readings, RequestKind kind) {
        List<Look> looks = new ArrayList<>();
        Map<RequestTime, SortedMap<String, SortedMap<Double, Double>>> means = new EnumMap<>(RequestTime.class);
        for (RequestTime time : RequestTime.values()) {
            means.put(time, readings.bySource(BROKER, kind.metric(time, MEAN)));
        }
        readings.bySource(BROKER, kind.count()).forEach((broker, counts) -> {
            List<Double> seconds = List.copyOf(counts.keySet());
            for (int i = 0; i < seconds.size(); i++) {
                double second = seconds.get(i);
                // The first look, also after a gap, has none before it: it lasted as long as the one after it.
                double before = i > 0 ? second - seconds.get(i - 1) : Double.MAX_VALUE;
                double after = i + 1 < seconds.size() ? seconds.get(i + 1) - second : Double.MAX_VALUE;
                double alone = kind == RequestKind.PRODUCE ? 1 : EVERY;
                double length = before <= LONGEST ? before : after <= LONGEST ? after : alone;
                Map<RequestTime, StageTimes.Sum> sums = new EnumMap<>(RequestTime.class);
                double requests = counts.getOrDefault(second, 0.0);
                means.forEach((time, sources) -> {
                    Double mean = sources.getOrDefault(broker, new TreeMap<>()).get(second);
                    if (mean != null) {
                        sums.put(time, new StageTimes.Sum(requests, requests * mean));
                    }
                });
                // A reading of a second was taken at its end.
                double to = second + 1;
                looks.add(new Look(broker, to - length, to, new StageTimes(requests, sums)));
            }
        });
        return new RequestSeries(looks);
    }

    public boolean empty() {
        return looks.stream().allMatch(look -> look.times().requests() == 0);
    }

    /** The requests between two moments: a look of one second belongs to one side, a longer one to both by its share. */
    public StageTimes within(double from, double to) {
        return looks.stream()
                .filter(look -> look.to() > from - HALF && look.from() < to + HALF)
                .map(look -> look.times().times(share(look, from, to)))
                .reduce(StageTimes.NONE, StageTimes::plus);
    }

    /** The share of the time between two moments that these looks cover, on average over the brokers. */
    double covered(double from, double to) {
        long brokers = looks.stream().map(Look::broker).distinct().count();
        double seconds = looks.stream()
                .filter(look -> look.to() > from - HALF && look.from() < to + HALF)
                .mapToDouble(look -> share(look, from, to) * (look.to() - look.from()))
                .sum();
        return brokers == 0 ? 0 : Math.min(1, seconds / brokers / (to - from));
    }

    private static double share(Look look, double from, double to) {
        // A step that is shorter has no look of its own.
        if (look.to() - look.from() <= SHORT && to - from >= 1) {
            return look.from() >= from - HALF && look.to() < to + HALF ? 1 : 0;
        }
        double common = Math.min(look.to(), to) - Math.max(look.from(), from);
        return Math.max(0, common) / (look.to() - look.from());
    }

    /**
     * The same of all brokers together, one look after the other. Looks that overlap are one, which has the time of the first:
     * each broker is asked at moments of its own.
     */
    public List<Look> together() {
        List<Look> together = new ArrayList<>();
        for (Look look : looks.stream()
                .sorted(Comparator.comparingDouble(Look::from).thenComparing(Look::to, Comparator.reverseOrder()))
                .toList()) {
            int last = together.size() - 1;
            if (last >= 0 && look.from() < together.get(last).to() - HALF) {
                Look one = together.get(last);
                together.set(
                        last, new Look(BROKER, one.from(), one.to(), one.times().plus(look.times())));
            } else {
                together.add(look);
            }
        }
        return List.copyOf(together);
    }
}
