package weir.pace;

/**
 * The time of a step. The offered rate of a closed loop is NaN. With a length of {@link Schedule#NEVER}, the number of
 * operations ends the step.
 */
public record StepWindow(int step, long startNanos, long lengthNanos, double offeredPerSecond, String label) {
    public long endNanos() {
        return lengthNanos == Schedule.NEVER ? Schedule.NEVER : startNanos + lengthNanos;
    }
}
