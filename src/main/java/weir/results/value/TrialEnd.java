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
 * The facts about a trial that no window, reading or event contains: the ledger, the measured phase, and the generator.
 * Weir knows these facts at the end of the trial. Seconds count from the trial's origin.
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

    /** The length of the warm-up; {@code settled} is whether the load was steady at its end, if requested. */
    public record WarmedUp(double seconds, boolean settled) {}

    /**
     * The measured phase.
     *
     * @param balance of all its steps; null if the trial was killed before the counts, as for those of its steps
     * @param lostBefore lost messages of fill and warm-up; null if unknown
     * @param atomicity of all phases; null if operations are single records
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

        public @Nullable Balance balance(String disturbance) {
            return disturbed.stream()
                    .filter(one -> one.name().equals(disturbance))
                    .findFirst()
                    .map(Disturbed::balance)
                    .orElse(null);
        }
    }

    /** The resources of the generator; null if unknown. {@code jvm} are facts about its JVM by name. */
    public record Generator(
            @Nullable Double cpuSeconds, @Nullable Double rssMiB, SortedMap<String, String> jvm) {
        public Generator {
            jvm = Collections.unmodifiableSortedMap(new TreeMap<>(jvm));
        }
    }

    public record Clocks(double wallMillis, double steadyMillis) {}

    /** One measured step and its counts. A backlog comes before all steps, so its counts are of all messages. */
    public record Step(
            int step,
            String label,
            double from,
            double to,
            double seconds,
            @Nullable Balance balance) {}

    public record Disturbed(String name, Balance balance) {}

    public record WorkerLatency(int step, int worker, LatencyResult late, LatencyResult response) {}
}
