package weir.results;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weir.plan.property.Property;
import weir.results.value.HostFacts;

/**
 * The machine of a run: facts in display order (kernel, CPU, memory, cgroup, JVMs, Kafka), and the properties of its
 * clients, brokers and topics by the name of the variant. An empty name stands for all variants.
 *
 * @param hosts the machines of the run, this machine first; empty if no other machine took part
 */
public record Machine(Map<String, String> facts, Map<String, List<Property>> properties, List<HostFacts> hosts) {
    /** The fact with the name of the tool that measured an imported run. Runs of Weir lack this fact. */
    public static final String TOOL = "tool";

    public static final String WEIR = "Weir";

    /** The facts that decide the speed of a machine. Others, such as free memory, always change. */
    public static final List<String> LASTING =
            List.of("cpu.model", "cpu.cores", "memory.mib", "kernel", "java.vm.version", "filesystem");

    public Machine {
        hosts = List.copyOf(hosts);
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        Map<String, List<Property>> copy = new LinkedHashMap<>();
        properties.forEach((variant, list) -> copy.put(variant, List.copyOf(list)));
        properties = Collections.unmodifiableMap(copy);
    }

    /** The tool that measured an imported run; empty for a run of Weir. */
    public String tool() {
        return facts.getOrDefault(TOOL, "");
    }

    /** The tool that measured the run, also if it is Weir. */
    public String measuredBy() {
        return facts.getOrDefault(TOOL, WEIR);
    }
}
