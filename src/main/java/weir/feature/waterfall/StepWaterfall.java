package weir.feature.waterfall;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.waterfall.RequestSeries.RequestKind;
import weir.feature.waterfall.StageTimes.RequestTime;
import weir.judge.ProbeSeries;
import weir.measure.Known;
import weir.measure.LatencyKind;
import weir.results.value.Figures;
import weir.results.value.StepResult;

/**
 * The mean response of a step in milliseconds, as a sum of parts. A part can be negative if Weir calculates it as the
 * difference of two measurements.
 */
public record StepWaterfall(StepResult step, Map<WaterfallPart, Double> parts) {
    private static final String CLIENT = "client";

    private static final double ROUNDING = 0.005;

    public StepWaterfall {
        parts = Collections.unmodifiableMap(new TreeMap<>(parts));
    }

    /** Empty for a step without answers; {@code waited} is true if a response waits for the brokers. */
    static Stream<StepWaterfall> of(StepResult step, ProbeSeries readings, RequestSeries produced, boolean waited) {
        Figures figures = step.figures();
        @Nullable Double response = figures.response().mean();
        @Nullable Double service = figures.latency(LatencyKind.SERVICE).mean();
        if (response == null || response <= 0 || service == null) {
            return Stream.empty();
        }
        Map<WaterfallPart, Double> parts = new EnumMap<>(WaterfallPart.class);
        parts.put(WaterfallPart.LATE, Known.orZero(figures.late().mean()));
        parts.put(
                WaterfallPart.BACKPRESSURE,
                Known.orZero(figures.latency(LatencyKind.BACKPRESSURE).mean()));
        double blocked = Math.min(
                service, Known.orZero(figures.latency(LatencyKind.BLOCKED).mean()));
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
        boolean known = !Double.isNaN(latency);
        if (!brokers.whole()) {
            parts.put(known ? WaterfallPart.CLIENT : WaterfallPart.REST, known ? rest - latency : rest);
            if (known) {
                parts.put(WaterfallPart.REQUEST, latency);
            }
            return;
        }
        double total = brokers.mean(RequestTime.TOTAL);
        if (known) {
            parts.put(WaterfallPart.CLIENT, rest - latency);
            parts.put(WaterfallPart.NETWORK, latency - total);
        } else {
            parts.put(WaterfallPart.CLIENT_AND_NETWORK, rest - total);
        }
        RequestTime.STAGES.forEach(stage -> parts.put(WaterfallPart.of(stage), brokers.mean(stage)));
        parts.put(WaterfallPart.IN_NO_STAGE, brokers.inNoStage());
    }

    static double byClient(ProbeSeries readings, RequestKind kind, double from, double to) {
        return readings.mean(CLIENT, kind.client(), from, to);
    }

    public double response() {
        return Known.orNaN(step.figures().response().mean());
    }

    public boolean seen() {
        return parts.containsKey(WaterfallPart.LOCAL);
    }

    /** A part of the mean response to a message, in the order of its path. */
    public enum WaterfallPart {
        LATE("late", "late: the generator", "c4"),
        BACKPRESSURE("backpressure", "backpressure: waiting for an earlier blocked call", "c5"),
        BLOCKED("blocked", "blocked: inside send()", "c2"),
        /** The rest of the time after the send call, which no other figure explains. */
        REST("rest of service", "the rest of service: client queue, network, brokers", "c1 pale"),
        /** service − blocked − the client's request latency: waiting for a batch, for a connection, for a callback. */
        CLIENT("in the client", "in the client: waiting for a batch and a connection", "c8"),
        /** The client's request latency, if the brokers do not report their times. */
        REQUEST("request", "request: network and brokers", "c1 pale"),
        /** service − blocked − the brokers' total, if the clients do not report their request latency. */
        CLIENT_AND_NETWORK("client and network", "client and network", "c8"),
        /** The clients' request latency − the brokers' total. */
        NETWORK("network", "network", "c3"),
        REQUEST_QUEUE(RequestTime.REQUEST_QUEUE, "request queue"),
        LOCAL(RequestTime.LOCAL, "local: appending to the log"),
        REMOTE(RequestTime.REMOTE, RequestKind.PRODUCE.remote()),
        RESPONSE_QUEUE(RequestTime.RESPONSE_QUEUE, "response queue"),
        RESPONSE_SEND(RequestTime.RESPONSE_SEND, "response send"),
        /** The brokers' total − the sum of their stages. */
        IN_NO_STAGE("in no stage", "in no stage", "c8 pale"),
        /** The rest of the mean response, because unsent, failed and unanswered messages waited for other times. */
        NOT_ACKED("not acked", "not acked: never sent, failed or never answered", "c4 pale");

        private final String word;
        private final String key;
        private final String color;

        WaterfallPart(String word, String key, String color) {
            this.word = word;
            this.key = key;
            this.color = color;
        }

        WaterfallPart(RequestTime stage, String key) {
            this(stage.word(), key, stage.color());
        }

        public String word() {
            return word;
        }

        String key() {
            return key;
        }

        String color() {
            return color;
        }

        static WaterfallPart of(RequestTime stage) {
            return valueOf(stage.name());
        }
    }
}
