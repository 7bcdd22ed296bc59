package weir.run.disturbance;

import java.util.function.Supplier;
import weir.run.lab.Lab;

/**
 * A prepared disturbance.
 *
 * @param begin begins it, and returns what undoes it
 * @param undone the act that undid it, to be marked; empty where its end says all
 * @param endsWithBrokers whether nothing of it is left once the brokers are gone
 */
public record Disturbance(String announced, Supplier<Lab.Activity> begin, String undone, boolean endsWithBrokers) {
    public static Disturbance of(String announced, Supplier<Lab.Activity> begin) {
        return new Disturbance(announced, begin, "", false);
    }
}
