package weir.judge.waterfall;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.judge.waterfall.RequestSeries.RequestKind;
import weir.judge.waterfall.StageTimes.RequestTime;
import weir.measure.LatencyKind;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.StepResult;

/**
 * The mean response of a step and its parts, in milliseconds; the parts add up to it. A part that is a difference of
 * two measurements may be negative.
 */
public record StepWaterfall(StepResult step, Map<WaterfallPart, Double> parts) {
    private static final String CLIENT = "client";

    private static final double ROUNDING = 0.005;

    public StepWaterfall {
        EnumMap<WaterfallPart, Double> sorted = new EnumMap<>(WaterfallPart.class);
        sorted.putAll(parts);
        parts = Collections.unmodifiableMap(sorted);
    }

    /**
     * Empty for a step in which nothing was answered.
     *
     * @param waited whether a response waits for the brokers
     */
    static Stream<StepWaterfall> of(StepResult step, ProbeSeries readings, RequestSeries produced, boolean waited) {
        Figures figures = step.figures();
        @Nullable Double response = figures.response().mean();
        @Nullable Double service = figures.latency(LatencyKind.SERVICE).mean();
        if (response == null || response <= 0 || service == null) {
            return Stream.empty();
        }
        Map<WaterfallPart, Double> parts = new EnumMap<>(WaterfallPart.class);
        parts.put(WaterfallPart.LATE, zero(figures.late()));
        parts.put(WaterfallPart.BACKPRESSURE, zero(figures.latency(LatencyKind.BACKPRESSURE)));
        double blocked = Math.min(service, zero(figures.latency(LatencyKind.BLOCKED)));
        parts.put(WaterfallPart.BLOCKED, blocked);
        double to = step.from() + step.seconds();
        double latency = byClient(readings, RequestKind.PRODUCE, step.from(), to);
        StageTimes brokers = waited ? produced.within(step.from(), to).times() : StageTimes.NONE;
        split(parts, service - blocked, latency, brokers);
        double others =
                response - parts.values().stream().mapToDouble(part -> part).sum();
        if (Math.abs(others) > ROUNDING * response) {
            parts.put(WaterfallPart.NOT_ACKED, others);
        }
        return Stream.of(new StepWaterfall(step, parts));
    }

    private static void split(Map<WaterfallPart, Double> parts, double rest, double latency, StageTimes brokers) {
        boolean told = !Double.isNaN(latency);
        if (!brokers.whole()) {
            parts.put(told ? WaterfallPart.CLIENT : WaterfallPart.REST, told ? rest - latency : rest);
            if (told) {
                parts.put(WaterfallPart.REQUEST, latency);
            }
            return;
        }
        double total = brokers.mean(RequestTime.TOTAL);
        if (told) {
            parts.put(WaterfallPart.CLIENT, rest - latency);
            parts.put(WaterfallPart.NETWORK, latency - total);
        } else {
            parts.put(WaterfallPart.CLIENT_AND_NETWORK, rest - total);
        }
        RequestTime.STAGES.forEach(stage -> parts.put(WaterfallPart.of(stage), brokers.mean(stage)));
        parts.put(WaterfallPart.IN_NO_STAGE, brokers.inNoStage());
    }

    /** The mean over seconds of the request time that clients reported, in milliseconds; NaN without readings. */
    static double byClient(ProbeSeries readings, RequestKind kind, double from, double to) {
        return readings.mean(CLIENT, kind.client(), from, to);
    }

    private static double zero(LatencyResult latency) {
        Double mean = latency.mean();
        return mean == null ? 0 : mean;
    }

    public double response() {
        Double mean = step.figures().response().mean();
        return mean == null ? Double.NaN : mean;
    }

    public boolean seen() {
        return parts.containsKey(WaterfallPart.LOCAL);
    }

    /** A part of the mean response to a message, in the order of its path. */
    public enum WaterfallPart {
        LATE("late"),
        BACKPRESSURE("backpressure"),
        BLOCKED("blocked"),
        /** Everything after the send call without a figure of its own. */
        REST("rest of service"),
        /** service − blocked − the client's request latency: waiting for a batch, for a connection, for a callback. */
        CLIENT("in the client"),
        /** The client's request latency, if the brokers do not report their part of it. */
        REQUEST("request"),
        /** service − blocked − the brokers' total, if the client does not report its request latency. */
        CLIENT_AND_NETWORK("client and network"),
        /** The client's request latency − the brokers' total. */
        NETWORK("network"),
        REQUEST_QUEUE("request queue"),
        LOCAL("local"),
        REMOTE("remote"),
        RESPONSE_QUEUE("response queue"),
        RESPONSE_SEND("response send"),
        /** The brokers' total − their stages. */
        IN_NO_STAGE("in no stage"),
        /**
         * The rest of the mean response: messages that were unsent, failed or unanswered waited differently from acked
         * ones.
         */
        NOT_ACKED("not acked");

        private final String word;

        WaterfallPart(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        static WaterfallPart of(RequestTime stage) {
            return valueOf(stage.name());
        }
    }
}
