package weir.run;

import java.util.Objects;
import weir.measure.Balance;
import weir.plan.Property;
import weir.plan.Variant;

/** What Kafka promises under the settings of a trial. A broken one is never just a figure. */
final class Promises {
    private Promises() {}

    /**
     * Without a disturbance nothing may be lost, and no broker may die. An idempotent producer neither duplicates nor
     * reorders.
     */
    static boolean kept(Variant variant, TrialRun.Outcome outcome, Balance balance) {
        boolean calm = variant.during().isEmpty();
        boolean acknowledged = !effective(outcome, "acks").equals("0");
        boolean idempotent = effective(outcome, "enable.idempotence").equals("true");
        if (calm && (!outcome.deaths().isEmpty() || (acknowledged && balance.lost() > 0))) {
            return false;
        }
        boolean twiceOrMixed = balance.duplicated() > 0 || balance.reordered() > 0;
        return !(idempotent && twiceOrMixed);
    }

    private static String effective(TrialRun.Outcome outcome, String name) {
        return outcome.properties().stream()
                .filter(property ->
                        property.of().equals("producer") && property.name().equals(name))
                .map(Property::effective)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
    }
}
