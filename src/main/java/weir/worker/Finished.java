package weir.worker;

import java.util.List;
import java.util.SortedMap;
import weir.measure.Ledger;
import weir.plan.property.Property;

/**
 * The results of a worker's trial.
 *
 * @param properties the effective configuration of each kind of client
 * @param metrics the metrics of the first client of each kind
 */
public record Finished(
        Ledger ledger, List<Property> properties, SortedMap<String, String> jvm, SortedMap<String, Object> metrics) {
    public Finished {
        properties = List.copyOf(properties);
    }
}
