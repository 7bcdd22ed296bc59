package weir.results.value;

import java.util.List;
import weir.plan.Expectation;
import weir.plan.property.Property;

/**
 * The conditions of a trial, read after its brokers started and before the load.
 *
 * @param generator only the ceiling of the generator, because the trial has no figures yet
 * @param hosts this machine first, even without a worker, then the other machines of the trial
 * @param filesystem the type of file system of the brokers' data; empty for brokers on other machines
 * @param unlimitedWriteback true if the kernel does not apply the brokers' disk limit to later writes of cached data
 * @param firstOfMany true if this is the first of several trials on the same brokers
 * @param forwarders evidence of a proxy or forwarding rule between the clients and the brokers
 */
public record TrialConditions(
        List<Expectation> limits,
        GeneratorResult generator,
        List<HostFacts> hosts,
        String filesystem,
        boolean unlimitedWriteback,
        boolean firstOfMany,
        List<String> forwarders,
        List<Property> properties) {
    public static final TrialConditions NONE = new TrialConditions(
            List.of(),
            GeneratorResult.NONE,
            List.of(new HostFacts(HostFacts.HERE, "", 0, 0, "", "", List.of(), List.of(), List.of())),
            "",
            false,
            false,
            List.of(),
            List.of());

    public TrialConditions {
        limits = List.copyOf(limits);
        hosts = List.copyOf(hosts);
        forwarders = List.copyOf(forwarders);
        properties = List.copyOf(properties);
        if (hosts.isEmpty() || !hosts.get(0).here()) {
            throw new IllegalArgumentException("the first host of a trial is '" + HostFacts.HERE + "', got " + hosts);
        }
    }

    public HostFacts here() {
        return hosts.get(0);
    }
}
