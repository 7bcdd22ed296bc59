package weir.pace;

/**
 * The period of a step. The offered rate of a closed loop is NaN. A step with the length {@link Schedule#NEVER} ends
 * after a number of operations.
 */
public record StepWindow(int step, long startNanos, long lengthNanos, double offeredPerSecond, String label) {
    public long endNanos() {
        return lengthNanos == Schedule.NEVER ? Schedule.NEVER : startNanos + lengthNanos;
    }
}
