package weir.results;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a run took place: facts in the order to show them (kernel, CPU, memory, cgroup, JVMs, Kafka), and every property. */
public record Machine(Map<String, String> facts, List<Property> properties) {
    public Machine {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        properties = List.copyOf(properties);
    }

    /**
     * One property of a client, broker or topic. {@code of} is its owner ("producer", "broker", "topic orders"), an empty
     * variant means all of them; {@code source} says who set it. What nobody asked for, or nobody told us, is null.
     */
    public record Property(
            String variant,
            String of,
            String name,
            @Nullable String requested,
            @Nullable String effective,
            @Nullable String defaultValue,
            String source) {}
}
