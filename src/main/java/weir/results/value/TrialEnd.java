package weir.results.value;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.measure.Atomicity;
import weir.measure.Balance;
import weir.plan.property.Property;

/**
 * The end of a trial, as far as no window, reading or event tells it: the ledger, the bounds of the measured phase, and what
 * was known of the generator. Seconds count from the trial's origin.
 *
 * @param startedAt ISO-8601 in UTC
 * @param stopReason empty for a trial that ran to its end
 */
public record TrialEnd(
        String startedAt,
        WarmedUp warmUp,
        Measured measured,
        Generator generator,
        String stopReason,
        List<Property> properties,
        Clocks clocks) {
    public TrialEnd {
        properties = List.copyOf(properties);
    }

    /** The length of the warm-up; {@code settled} is whether the load was steady at its end, where that was asked for. */
    public record WarmedUp(double seconds, boolean settled) {}

    /**
     * The measured phase.
     *
     * @param balance of all its steps; null where the trial was killed before there was one, like those of its steps
     * @param lostBefore messages of fill and warm-up that were lost; null where nobody knows
     * @param atomicity of all phases; null where operations are single records
     */
    public record Measured(
            double from,
            double to,
            List<Step> steps,
            @Nullable Balance balance,
            @Nullable Long lostBefore,
            @Nullable Atomicity atomicity,
            List<WorkerLatency> workers,
            List<Disturbed> disturbed) {
        public Measured {
            steps = List.copyOf(steps);
            workers = List.copyOf(workers);
            disturbed = List.copyOf(disturbed);
        }

        /** The account of what was due in the seconds of this disturbance; null where there is none. */
        public @Nullable Balance balance(String disturbance) {
            return disturbed.stream()
                    .filter(one -> one.name().equals(disturbance))
                    .findFirst()
                    .map(Disturbed::balance)
                    .orElse(null);
        }
    }

    /**
     * The generator; null is what nobody saw.
     *
     * @param jvm facts about its JVM by name
     */
    public record Generator(
            @Nullable Double cpuSeconds, @Nullable Double rssMiB, SortedMap<String, String> jvm) {
        public Generator {
            jvm = Collections.unmodifiableSortedMap(new TreeMap<>(jvm));
        }
    }

    /** The length of the trial by the wall clock and by the steady one. */
    public record Clocks(double wallMillis, double steadyMillis) {}

    /** One measured step, and where its messages went: of a backlog, written before any of them, where all went. */
    public record Step(
            int step,
            String label,
            double from,
            double to,
            double seconds,
            @Nullable Balance balance) {}

    /** The account of what was due in the seconds of a disturbance, one of this trial or of another variant. */
    public record Disturbed(String name, Balance balance) {}

    /** Latencies of a step as one of several workers saw them; workers count from 0. */
    public record WorkerLatency(int step, int worker, LatencyResult late, LatencyResult response) {}
}
