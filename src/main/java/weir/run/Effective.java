package weir.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import weir.cluster.Topics;
import weir.plan.ClusterSpec;
import weir.plan.Property;
import weir.plan.Variant;

/** Which properties hold in a trial, and who says so. */
final class Effective {
    private Effective() {}

    /** Brokers ignore what they do not know; then the trial would not be the one that was asked for. */
    static void refuseUnknown(Variant variant, Topics topics) {
        if (variant.cluster() instanceof ClusterSpec.Embedded asked) {
            Set<String> unknown = new TreeSet<>(asked.broker().keySet());
            asked.brokers().forEach(broker -> unknown.addAll(broker.broker().keySet()));
            unknown.retainAll(topics.unknownBrokerProperties());
            if (!unknown.isEmpty()) {
                throw new PreflightException("cluster.broker: the brokers of Kafka " + asked.kafka() + " do not know "
                        + String.join(", ", unknown) + "; leave it out, or correct its name");
            }
        }
    }

    /** Those of the clients, as they say themselves, and those of brokers and topics, as the brokers say. */
    static List<Property> of(Variant variant, List<Property> clients, Topics topics) {
        List<Property> all = new ArrayList<>(clients);
        SortedMap<String, String> asked =
                variant.cluster() instanceof ClusterSpec.Embedded embedded ? embedded.broker() : new TreeMap<>();
        for (Topics.Property p : topics.properties(asked)) {
            Property.Source source = p.requested().isEmpty() ? Property.Source.DEFAULT : Property.Source.YOURS;
            all.add(new Property(p.of(), p.name(), p.requested(), p.effective(), p.byDefault(), source));
        }
        return all;
    }
}
