package weir.feature.waterfall;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import weir.feature.waterfall.RequestSeries.RequestKind;
import weir.feature.waterfall.StageTimes.RequestTime;
import weir.judge.ProbeSeries;
import weir.results.WindowRow;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/**
 * The stages of a trial's requests, as far as clients and brokers reported them.
 *
 * @param requests the requests by kind; a kind without ended requests is absent
 * @param slow the comparison of slow seconds with other seconds, as a list of at most one element
 */
public record TrialWaterfall(List<StepWaterfall> steps, Map<RequestKind, Requests> requests, List<SlowSeconds> slow) {
    private static final String ACKS = "load.producer.acks";

    public TrialWaterfall {
        steps = List.copyOf(steps);
        requests = Collections.unmodifiableMap(new EnumMap<>(requests));
        slow = List.copyOf(slow);
    }

    /**
     * The requests of one kind.
     *
     * @param p50 and {@code p99}: the percentiles of stages, each from the broker with the highest, in milliseconds.
     *     Kafka samples mainly the last five minutes, across steps. Percentiles of stages do not add up
     * @param byClient the mean of the clients' times over the seconds of all steps, in milliseconds; NaN without
     *     readings
     */
    public record Requests(
            RequestSeries series,
            RequestSeries measured,
            Map<RequestTime, Double> p50,
            Map<RequestTime, Double> p99,
            double byClient) {
        static final Requests NONE = new Requests(
                new RequestSeries(List.of()), new RequestSeries(List.of()), Map.of(), Map.of(), Double.NaN);

        public Requests {
            p50 = Collections.unmodifiableMap(p50);
            p99 = Collections.unmodifiableMap(p99);
        }

        private static Requests of(ProbeSeries readings, RequestKind kind, List<StepResult> steps, boolean byHttp) {
            RequestSeries series = RequestSeries.of(readings, kind);
            StepResult last = steps.get(steps.size() - 1);
            double from = steps.get(0).from();
            double to = last.from() + last.seconds();
            return new Requests(
                    series,
                    series.within(from, to),
                    highest(readings, kind, "p50", from, to),
                    highest(readings, kind, "p99", from, to),
                    byHttp ? Double.NaN : StepWaterfall.byClient(readings, kind, from, to));
        }
    }

    public static boolean isPart(String source, String metric) {
        return source.startsWith("broker")
                ? metric.startsWith(RequestKind.PREFIX)
                : source.startsWith("client")
                        && Stream.of(RequestKind.values()).anyMatch(kind -> metric.equals(kind.client()));
    }

    /** Returns the waterfall of a trial. It ignores readings that are no {@link #isPart part} of a waterfall. */
    public static TrialWaterfall of(TrialResult trial, List<WindowRow> rows, ProbeSeries readings) {
        Map<RequestKind, Requests> requests = new EnumMap<>(RequestKind.class);
        List<StepResult> steps = trial.steps();
        if (!steps.isEmpty()) {
            for (RequestKind kind : RequestKind.values()) {
                requests.put(kind, Requests.of(readings, kind, steps, kind == RequestKind.PRODUCE && byHttp(trial)));
            }
            requests.values().removeIf(kind -> kind.measured().times().requests() == 0);
        }
        RequestSeries produced =
                requests.getOrDefault(RequestKind.PRODUCE, Requests.NONE).series();
        boolean queued = "queued".equals(trial.settings().get("bridge.gateway.answer"));
        return new TrialWaterfall(
                steps.stream()
                        .flatMap(step -> StepWaterfall.of(
                                step, readings, queued ? Requests.NONE.series() : produced, waits(trial)))
                        .toList(),
                requests,
                SlowSeconds.of(calm(steps), rows, produced).toList());
    }

    /** The sustained steps, or all without any. In other steps, the tail is the growing queue before the brokers. */
    private static List<StepResult> calm(List<StepResult> steps) {
        List<StepResult> sustained =
                steps.stream().filter(StepResult::sustained).toList();
        return sustained.isEmpty() ? steps : sustained;
    }

    private static boolean byHttp(TrialResult trial) {
        String engine = trial.settings().getOrDefault("load.engine", "");
        return trial.settings().getOrDefault("load.engine.send", engine).equals("http");
    }

    /** False with {@code acks=0}: a client then does not wait for brokers. */
    public static boolean waits(TrialResult trial) {
        return !trial.settings().getOrDefault(ACKS, "").equals("0");
    }

    private static Map<RequestTime, Double> highest(
            ProbeSeries readings, RequestKind kind, String figure, double from, double to) {
        EnumMap<RequestTime, Double> highest = new EnumMap<>(RequestTime.class);
        for (RequestTime time : RequestTime.values()) {
            readings.bySource("broker", kind.metric(time, figure)).values().forEach(values -> {
                SortedMap<Double, Double> seen = values.subMap(from, to);
                if (!seen.isEmpty()) {
                    highest.merge(time, seen.get(seen.lastKey()), Math::max);
                }
            });
        }
        return highest;
    }
}
