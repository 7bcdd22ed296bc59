package weir.feature.waterfall;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import weir.feature.waterfall.StageTimes.RequestTime;
import weir.judge.ProbeSeries;

/**
 * The requests of one kind in a trial, as a sequence of readings. A reading ({@link Look}) covers the requests that
 * ended since the previous reading of the same broker. It has their number and their mean time in each stage.
 */
public record RequestSeries(List<Look> looks) {
    private static final String BROKER = "broker";
    private static final String MEAN = "mean";

    private static final double LONGEST = 15;

    /** The seconds by which readings of different brokers may overlap and still count as successive. */
    private static final double HALF = 0.5;

    private static final double EVERY = 5;

    public RequestSeries {
        looks = List.copyOf(looks);
    }

    public record Look(String broker, double from, double to, StageTimes times) {
        private double middle() {
            return (from + to) / 2;
        }
    }

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
                // The first reading, or one after a gap, has no predecessor: it lasted as long as the next reading.
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
                // The reading of a second is from the end of that second.
                double to = second + 1;
                looks.add(new Look(broker, to - length, to, new StageTimes(requests, sums)));
            }
        });
        return new RequestSeries(looks);
    }

    /** Returns the readings whose middle is in the period; without any, the readings that overlap the period. */
    public RequestSeries within(double from, double to) {
        List<Look> own = looks.stream()
                .filter(look -> look.middle() >= from && look.middle() < to)
                .toList();
        return new RequestSeries(
                own.isEmpty()
                        ? looks.stream()
                                .filter(look -> look.from() < to && look.to() > from)
                                .toList()
                        : own);
    }

    public StageTimes times() {
        return looks.stream().map(Look::times).reduce(StageTimes.NONE, StageTimes::plus);
    }

    public double from() {
        return looks.stream().mapToDouble(Look::from).min().orElse(Double.NaN);
    }

    public double to() {
        return looks.stream().mapToDouble(Look::to).max().orElse(Double.NaN);
    }

    /** Returns the covered share of the time from the first to the last reading; NaN without readings. */
    public double covered() {
        double seconds =
                looks.stream().mapToDouble(look -> look.to() - look.from()).sum();
        double spans = looks.stream().collect(Collectors.groupingBy(Look::broker)).values().stream()
                .map(RequestSeries::new)
                .mapToDouble(broker -> broker.to() - broker.from())
                .sum();
        return seconds / spans;
    }

    /** The readings of all brokers in sequence. Overlapping readings are merged at the time of the first. */
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

    public enum RequestKind {
        PRODUCE("produce", "produce", "remote: replication, check of the transaction", "producer.request-latency-avg"),
        FETCH("fetch.consumer", "fetch of a consumer", "remote: waiting for data", "consumer.fetch-latency-avg"),
        REPLICATION("fetch.follower", "fetch of a follower", "remote: waiting for data", "");

        static final String PREFIX = "request.";

        private final String part;
        private final String word;
        private final String remote;
        private final String client;

        RequestKind(String part, String word, String remote, String client) {
            this.part = part;
            this.word = word;
            this.remote = remote;
            this.client = client;
        }

        public String word() {
            return word;
        }

        /** Returns the stage {@link RequestTime#REMOTE} with the reason for waiting in it. */
        public String remote() {
            return remote;
        }

        String client() {
            return client;
        }

        String count() {
            return PREFIX + part + ".count";
        }

        String metric(RequestTime time, String figure) {
            return PREFIX + part + "." + time.part() + "." + figure + ".ms";
        }
    }
}
