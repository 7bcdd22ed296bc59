package weir.feature.waterfall;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The mean times that requests spend inside the brokers. Each request has the same weight.
 *
 * @param requests number of requests, including requests without reported times
 */
public record StageTimes(double requests, Map<RequestTime, Sum> sums) {
    public static final StageTimes NONE = new StageTimes(0, Map.of());

    public StageTimes {
        sums = Collections.unmodifiableMap(new TreeMap<>(sums));
    }

    public record Sum(double requests, double millis) {
        private static final Sum NONE = new Sum(0, 0);

        private Sum plus(Sum other) {
            return new Sum(requests + other.requests, millis + other.millis);
        }
    }

    public StageTimes plus(StageTimes other) {
        Map<RequestTime, Sum> both = new TreeMap<>(sums);
        other.sums.forEach((time, sum) -> both.merge(time, sum, Sum::plus));
        return new StageTimes(requests + other.requests, both);
    }

    public boolean whole() {
        return requests > 0
                && sums.containsKey(RequestTime.TOTAL)
                && RequestTime.STAGES.stream().allMatch(sums::containsKey);
    }

    /** In milliseconds; NaN without readings. */
    public double mean(RequestTime time) {
        Sum sum = sums.getOrDefault(time, Sum.NONE);
        return sum.requests() == 0 ? Double.NaN : sum.millis() / sum.requests();
    }

    /** The part of the mean total outside of all stages, which are counted in whole milliseconds. */
    public double inNoStage() {
        return mean(RequestTime.TOTAL)
                - RequestTime.STAGES.stream().mapToDouble(this::mean).sum();
    }

    /** A time that brokers measure for each request: its stages in order, the total and the throttle time. */
    public enum RequestTime {
        REQUEST_QUEUE("request queue", "c6"),
        LOCAL("local", "c1"),
        REMOTE("remote", "c7"),
        RESPONSE_QUEUE("response queue", "c6 pale"),
        RESPONSE_SEND("response send", "c3 pale"),
        /** From the first byte of the request to the last byte of its answer. */
        TOTAL("total", "c8"),
        /** The time for which the client must wait because of a quota, outside of all stages and the total. */
        THROTTLE("throttle", "c8");

        static final List<RequestTime> STAGES = List.of(REQUEST_QUEUE, LOCAL, REMOTE, RESPONSE_QUEUE, RESPONSE_SEND);
        static final List<RequestTime> STACKED =
                List.of(REQUEST_QUEUE, LOCAL, REMOTE, RESPONSE_QUEUE, RESPONSE_SEND, TOTAL);

        private final String word;
        private final String color;

        RequestTime(String word, String color) {
            this.word = word;
            this.color = color;
        }

        String part() {
            return word.replace(' ', '.');
        }

        String color() {
            return color;
        }

        public String word() {
            return word;
        }
    }
}
