package weir.judge.waterfall;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.measure.LatencyKind;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.StepResult;

/**
 * The mean response of a step and its parts, in milliseconds, which add up to it. A part that is a difference of what two
 * have measured may be less than nothing.
 */
public record StepWaterfall(StepResult step, Map<WaterfallPart, Double> parts) {
    /** The figure of a producer that tells how long its requests took. */
    static final String REQUEST_LATENCY = "producer.request-latency-avg";

    private static final String CLIENT = "client";

    public StepWaterfall {
        EnumMap<WaterfallPart, Double> sorted = new EnumMap<>(WaterfallPart.class);
        sorted.putAll(parts);
        parts = Collections.unmodifiableMap(sorted);
    }

    /**
     * None of a step in which nothing was answered.
     *
     * @param waited whether a response waits for what the brokers do
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
        // The Java client tells a mean of its last 30 to 60 seconds, which at the begin of a step are others. A reading
        // is
        // named by the beginning of its second.
        double latency =
                readings.mean(CLIENT, REQUEST_LATENCY, Math.min(step.from() + step.seconds() / 2, to - 1), to - 1);
        StageTimes brokers = waited ? produced.within(step.from(), to) : StageTimes.NONE;
        split(parts, service - blocked, latency, brokers);
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

    private static double zero(LatencyResult latency) {
        Double mean = latency.mean();
        return mean == null ? 0 : mean;
    }

    /** The mean response. */
    public double response() {
        return parts.values().stream().mapToDouble(part -> part).sum();
    }

    /** True when the brokers told their part of it. */
    public boolean seen() {
        return parts.containsKey(WaterfallPart.LOCAL);
    }
}
