package weir.judge.waterfall;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The times of some requests inside the brokers. Those of brokers and of seconds add up, weighted by their requests.
 *
 * @param requests all of them, also those whose times the brokers did not report
 */
public record StageTimes(double requests, Map<RequestTime, Sum> sums) {
    public static final StageTimes NONE = new StageTimes(0, Map.of());

    public StageTimes {
        EnumMap<RequestTime, Sum> sorted = new EnumMap<>(RequestTime.class);
        sorted.putAll(sums);
        sums = Collections.unmodifiableMap(sorted);
    }

    public record Sum(double requests, double millis) {
        private static final Sum NONE = new Sum(0, 0);

        private Sum plus(Sum other) {
            return new Sum(requests + other.requests, millis + other.millis);
        }
    }

    public StageTimes plus(StageTimes other) {
        EnumMap<RequestTime, Sum> both = new EnumMap<>(RequestTime.class);
        both.putAll(sums);
        other.sums.forEach((time, sum) -> both.merge(time, sum, Sum::plus));
        return new StageTimes(requests + other.requests, both);
    }

    public boolean whole() {
        return requests > 0
                && sums.containsKey(RequestTime.TOTAL)
                && RequestTime.STAGES.stream().allMatch(sums::containsKey);
    }

    /** The mean in milliseconds; NaN without readings. */
    public double mean(RequestTime time) {
        Sum sum = sums.getOrDefault(time, Sum.NONE);
        return sum.requests() == 0 ? Double.NaN : sum.millis() / sum.requests();
    }

    /** The part of the mean total outside all stages, which are counted in whole milliseconds. */
    public double inNoStage() {
        return mean(RequestTime.TOTAL)
                - RequestTime.STAGES.stream().mapToDouble(this::mean).sum();
    }

    /**
     * A time that brokers measure for each request: its stages in their order, then the total and the throttle time.
     */
    public enum RequestTime {
        REQUEST_QUEUE("request.queue", "request queue"),
        LOCAL("local", "local"),
        REMOTE("remote", "remote"),
        RESPONSE_QUEUE("response.queue", "response queue"),
        RESPONSE_SEND("response.send", "response send"),
        /** From the first byte of the request to the last byte of its answer. */
        TOTAL("total", "total"),
        /** The time for which a quota made the client wait; part of no stage and not of the total. */
        THROTTLE("throttle", "throttle");

        public static final List<RequestTime> STAGES =
                List.of(REQUEST_QUEUE, LOCAL, REMOTE, RESPONSE_QUEUE, RESPONSE_SEND);

        private final String part;
        private final String word;

        RequestTime(String part, String word) {
            this.part = part;
            this.word = word;
        }

        String part() {
            return part;
        }

        public String word() {
            return word;
        }
    }
}
