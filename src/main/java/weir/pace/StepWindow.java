package weir.pace;

/**
 * The time of a step. The offered rate of a closed loop is NaN. A step whose length is {@link Schedule#NEVER} lasts
 * until its operations are done.
 */
public record StepWindow(int step, long startNanos, long lengthNanos, double offeredPerSecond, String label) {
    public long endNanos() {
        return lengthNanos == Schedule.NEVER ? Schedule.NEVER : startNanos + lengthNanos;
    }
}
