package weir.plan;

import java.time.Duration;

/**
 * What a run will take. Records and bytes are upper bounds over all trials, bytes with every replica counted; where a
 * rate has no bound they rest on {@code assumed} records per second.
 */
public record Estimate(int trials, Duration time, long records, long bytes, boolean bounded, double assumed) {
    public static Estimate of(Experiment experiment) {
        return new Estimate(Trials.of(experiment).size(), Duration.ZERO, 0, 0, false, 0);
    }
}
