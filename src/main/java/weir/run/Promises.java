package weir.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.plan.Property;
import weir.results.AtomicityResult;
import weir.results.Figures;
import weir.results.OperationsResult;

/**
 * What Kafka promises under the settings of a trial; a broken promise is never just a figure.
 *
 * @param calm whether no disturbance was asked for
 * @param acknowledged whether the producers wait for an acknowledgement at all
 */
record Promises(boolean calm, boolean acknowledged, boolean idempotent) {
    static Promises of(boolean calm, List<Property> properties) {
        return new Promises(
                calm,
                !effective(properties, "acks").equals("0"),
                effective(properties, "enable.idempotence").equals("true"));
    }

    /** Undisturbed, nothing is lost and no broker dies; an idempotent producer neither duplicates nor reorders. */
    boolean kept(long deaths, Figures figures) {
        boolean lost = calm && acknowledged && some(figures.lost());
        boolean died = calm && deaths > 0;
        boolean mixed = idempotent && (some(figures.duplicated()) || some(figures.reordered()));
        return !lost && !died && !mixed && whole(figures);
    }

    /** However disturbed, a transaction is all or nothing; a stream without them loses nothing while it is not disturbed. */
    private boolean whole(Figures figures) {
        OperationsResult operations = figures.operations();
        AtomicityResult found = operations == null ? null : operations.atomicity();
        if (found == null) {
            return true;
        }
        boolean unpaired = some(found.offsetsWithoutRecord());
        if (!found.transactional()) {
            return !(calm && unpaired);
        }
        return !unpaired
                && !some(found.abortedReads())
                && !some(found.torn())
                && !some(found.recordsWithoutOffset())
                && !some(found.writtenTwice());
    }

    private static boolean some(@Nullable Long count) {
        return count != null && count > 0;
    }

    private static String effective(List<Property> properties, String name) {
        return properties.stream()
                .filter(property ->
                        property.of().equals("producer") && property.name().equals(name))
                .map(Property::effective)
                .findFirst()
                .orElse("");
    }
}
