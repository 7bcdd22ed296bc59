package weir.results.value;

import java.util.List;
import weir.plan.Expectation;
import weir.plan.property.Property;

/**
 * The conditions of a trial, read after its brokers started and before the load.
 *
 * @param limits of the steps
 * @param generator the ceiling of the generator, without figures of the trial
 * @param hosts this machine first, whether or not a worker runs here, then the others that carry load
 * @param filesystem of the brokers' data, empty when they run elsewhere
 * @param unlimitedWriteback whether brokers have a limit of the disk that the kernel does not keep when it writes for them
 * @param firstOfMany whether its brokers carried no load before it, and do so for trials after it
 * @param forwarders evidence of something between the clients and the brokers
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

    public boolean spread() {
        return hosts.size() > 1;
    }
}
