package weir.results.value;

/**
 * The figures of the seconds of a disturbance, in a trial that was disturbed or in one of another variant, where nothing
 * happened in the same seconds. Only windows that lie wholly within it count.
 */
public record DuringResult(
        String disturbance,
        LatencyResult response,
        LatencyResult e2e,
        double offeredPerSecond,
        double ackedPerSecond) {}
