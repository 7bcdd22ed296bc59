package weir.results;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.plan.Expectation;
import weir.plan.RecordKeys;
import weir.plan.property.Property;
import weir.results.value.GeneratorResult;
import weir.results.value.HostFacts;
import weir.results.value.TrialConditions;

/**
 * The stored conditions of a trial. Older files name no hosts, because only this machine produced the load.
 *
 * @param hosts the machines of the trial; empty in older files
 * @param cores the cores of this machine in older files; null in newer files
 * @param brokers the brokers of this machine in older files; newer files list the brokers of each host
 */
record StoredConditions(
        List<Expectation> limits,
        GeneratorResult generator,
        List<HostFacts> hosts,
        @Nullable Integer cores,
        String filesystem,
        boolean unlimitedWriteback,
        boolean firstOfMany,
        List<Integer> brokers,
        List<String> forwarders,
        List<Property> properties) {

    static TrialConditions read(Path file) {
        StoredConditions stored = ResultJson.read(file, StoredConditions.class);
        try {
            return stored.conditions();
        } catch (IllegalArgumentException e) {
            throw new UnreadableRunException(file + ": was not written by a run: " + e.getMessage());
        }
    }

    private TrialConditions conditions() {
        return new TrialConditions(
                limits, generator, machines(), filesystem, unlimitedWriteback, firstOfMany, forwarders, properties);
    }

    private List<HostFacts> machines() {
        if (hosts.isEmpty()) {
            return List.of(new HostFacts(
                    HostFacts.HERE, "", cores == null ? 0 : cores, 0, "", "", List.of(), brokers, List.of()));
        }
        List<HostFacts> all = new ArrayList<>(hosts);
        if (!brokers.isEmpty()) {
            all.set(0, RecordKeys.with(all.get(0), Map.of("brokers", brokers)));
        }
        return all;
    }
}
