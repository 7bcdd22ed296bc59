package weir.results.value;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.plan.RecordKeys;

/**
 * The findings of one trial. {@code startedAt} is ISO-8601 in UTC. {@code seconds} is the length of the measured phase.
 * {@code catchUp} is null if no reader began with a backlog.
 *
 * @param cpu microseconds of CPU per record by kind of process, such as {@code generator}, {@code gateway}, {@code
 *     broker}
 * @param allocated bytes of heap allocated per record, by kind of process
 * @param hops the parts of an event's path, in order, in the rising step with the lowest rate; empty if unknown
 * @param during the figures for the time of each disturbance, even if only other variants have the disturbance
 * @param failures the reasons for failed operations, the most frequent first
 */
public record TrialResult(
        int trial,
        String variant,
        int repeat,
        String startedAt,
        double seconds,
        SortedMap<String, String> settings,
        Figures figures,
        List<DisturbanceResult> disturbances,
        List<DuringResult> during,
        GeneratorResult generator,
        SortedMap<String, Double> cpu,
        SortedMap<String, Double> allocated,
        List<HopResult> hops,
        List<StepResult> steps,
        @Nullable CatchUpResult catchUp,
        List<Failure> failures) {
    public TrialResult {
        cpu = Collections.unmodifiableSortedMap(new TreeMap<>(cpu));
        allocated = Collections.unmodifiableSortedMap(new TreeMap<>(allocated));
        hops = List.copyOf(hops);
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        disturbances = List.copyOf(disturbances);
        during = List.copyOf(during);
        steps = List.copyOf(steps);
        failures = List.copyOf(failures);
    }

    /**
     * A reason for failed operations of the measured phase.
     *
     * @param reason the text of the client or server, which begins with an error type or a status
     * @param count the number of operations; 0 in results of earlier builds
     * @param limit the property that sets the limit; empty if unknown
     */
    public record Failure(String reason, long count, String limit) {
        private static final int LONGEST = 60;

        /** Returns a reason without a count, the form of earlier builds. */
        public static Failure of(String reason) {
            return new Failure(reason, 0, "");
        }

        /** Returns text such as {@code RecordTooLarge: 100 (max.request.size)}; the reason if no limit is known. */
        public String text() {
            int colon = reason.indexOf(": ");
            String type = colon < 0 ? reason : reason.substring(0, colon);
            String words = colon < 0 ? "" : reason.substring(colon + 2);
            String shown = limit.isEmpty() ? cut(words) : limit;
            return cut(type.replaceFirst("(?<=\\w)Exception$", ""))
                    + (count == 0 ? "" : ": " + NumberFormat.count(count))
                    + (shown.isEmpty() || shown.equals("null") ? "" : " (" + shown + ")");
        }

        private static String cut(String text) {
            return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
        }
    }

    public static List<String> variants(List<TrialResult> trials) {
        return trials.stream().map(TrialResult::variant).distinct().toList();
    }

    public static List<TrialResult> ofVariant(String variant, List<TrialResult> trials) {
        return trials.stream().filter(trial -> trial.variant.equals(variant)).toList();
    }

    /** The mean acked rate per second of the step with the highest rate; 0 if nothing was sent. */
    public double mostAckedPerSecond() {
        return steps.stream()
                .mapToDouble(step -> step.figures().orZero(RateKind.ACKED))
                .reduce(figures.orZero(RateKind.ACKED), Math::max);
    }

    /** The second in which the measured phase began; 0 without one. */
    public double from() {
        return steps.isEmpty() ? 0 : steps.get(0).from();
    }

    /** The second in which the measured phase ended; infinite without one. */
    public double to() {
        return steps.isEmpty()
                ? Double.POSITIVE_INFINITY
                : steps.get(steps.size() - 1).to();
    }

    /** True if the trial had several rates, one after the other. */
    public boolean stepped() {
        return steps.stream().filter(step -> step.rate() != null).count() > 1;
    }

    public boolean delivered() {
        return settings.containsKey("bridge.path");
    }

    /** False if its senders have several HTTP requests in flight, which have no order. */
    public boolean ordered() {
        return Stream.of("load.engine", "load.engine.send").noneMatch(path -> "http".equals(settings.get(path)));
    }

    /** Microseconds of CPU per record of all processes; null if unknown. */
    public @Nullable Double cpuMicros() {
        return cpu.isEmpty()
                ? null
                : (Double) cpu.values().stream().mapToDouble(micros -> micros).sum();
    }

    /** The first rising step, the easiest one for every path; null for a closed loop. */
    public @Nullable StepResult slowestRising() {
        return steps.stream().filter(StepResult::paced).findFirst().orElse(null);
    }

    public @Nullable DisturbanceResult disturbance(String name) {
        return disturbances.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    public @Nullable Figures figuresDuring(String disturbance) {
        return during.stream()
                .filter(seconds -> seconds.disturbance().equals(disturbance))
                .findFirst()
                .map(DuringResult::figures)
                .orElse(null);
    }

    public LatencyResult responseDuring(String disturbance) {
        Figures figures = figuresDuring(disturbance);
        return figures == null ? LatencyResult.NONE : figures.response();
    }

    public TrialResult with(
            SortedMap<String, Double> cpuMicros, SortedMap<String, Double> allocatedBytes, List<HopResult> way) {
        return RecordKeys.with(this, Map.of("cpu", cpuMicros, "allocated", allocatedBytes, "hops", way));
    }

    public TrialResult with(List<StepResult> judged) {
        return RecordKeys.with(this, Map.of("steps", judged));
    }

    public TrialResult with(StepResult step) {
        return new TrialResult(
                trial,
                variant,
                repeat,
                startedAt,
                step.seconds(),
                settings,
                step.figures(),
                disturbances,
                during,
                generator,
                cpu,
                allocated,
                hops,
                List.of(step),
                null,
                failures);
    }

    public TrialResult of(String name) {
        return RecordKeys.with(this, Map.of("variant", name));
    }

    /**
     * The figures during a disturbance, in its trial or in another variant for the same seconds. Counts and latencies
     * are of messages due in these seconds, and rates are of events in these seconds.
     */
    public record DuringResult(String disturbance, Figures figures) {}
}
