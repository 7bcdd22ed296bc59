package weir.run.disturbance;

import java.util.function.Supplier;
import weir.run.lab.Lab;

/**
 * A prepared disturbance.
 *
 * @param begin begins the disturbance; closing the returned activity undoes the disturbance
 * @param undone the text on the time axis when the disturbance is undone; may be empty
 * @param endsWithBrokers whether the end of the brokers also ends the disturbance
 * @param prepared closed at the end of the trial, even if the disturbance did not begin
 */
public record Disturbance(
        String announced, Supplier<Lab.Activity> begin, String undone, boolean endsWithBrokers, Lab.Activity prepared) {
    public Disturbance(String announced, Supplier<Lab.Activity> begin, String undone, boolean endsWithBrokers) {
        this(announced, begin, undone, endsWithBrokers, () -> {});
    }

    public static Disturbance of(String announced, Supplier<Lab.Activity> begin) {
        return new Disturbance(announced, begin, "", false);
    }
}
