package weir.results.value;

import java.util.List;
import weir.plan.Expectation;
import weir.plan.property.Property;

/**
 * The conditions of a trial, known when its brokers were up and before anything was sent.
 *
 * @param limits those that the steps are held against
 * @param generator the ceiling of the generator, and nothing that only a trial tells
 * @param filesystem of the brokers' data, empty when they run elsewhere
 * @param unlimitedWriteback whether brokers have a limit of the disk that the kernel does not keep when it writes for them
 * @param firstOfMany whether its brokers carried no load before it, and do so for trials after it
 * @param brokers the ids of those that run here
 * @param forwarders evidence of something between the clients and the brokers
 * @param properties of brokers and topics
 */
public record TrialConditions(
        List<Expectation> limits,
        GeneratorResult generator,
        int cores,
        String filesystem,
        boolean unlimitedWriteback,
        boolean firstOfMany,
        List<Integer> brokers,
        List<String> forwarders,
        List<Property> properties) {
    /** The conditions of a trial whose brokers never came up. */
    public static final TrialConditions NONE =
            new TrialConditions(List.of(), GeneratorResult.NONE, 0, "", false, false, List.of(), List.of(), List.of());

    public TrialConditions {
        limits = List.copyOf(limits);
        brokers = List.copyOf(brokers);
        forwarders = List.copyOf(forwarders);
        properties = List.copyOf(properties);
    }
}
