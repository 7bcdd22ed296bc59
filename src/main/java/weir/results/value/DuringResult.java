package weir.results.value;

/**
 * The figures of the seconds of a disturbance, in a trial that was disturbed or in one of another variant, where nothing
 * happened in the same seconds. As in those of a step, counts and latencies are of what was due in these seconds, whenever
 * it was acknowledged, and rates of what happened in them.
 */
public record DuringResult(String disturbance, Figures figures) {}
