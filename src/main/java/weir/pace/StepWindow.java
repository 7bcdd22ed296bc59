package weir.pace;

/**
 * When a step runs. A closed loop offers no rate: NaN. A length of {@link Schedule#NEVER} lasts until its operations
 * are done.
 */
public record StepWindow(int step, long startNanos, long lengthNanos, double offeredPerSecond, String label) {
    public long endNanos() {
        return lengthNanos == Schedule.NEVER ? Schedule.NEVER : startNanos + lengthNanos;
    }
}
