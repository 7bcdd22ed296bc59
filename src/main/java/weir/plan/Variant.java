package weir.plan;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.read.PlanReader;

/** The experiment as one variant sees it: every section resolved. */
public record Variant(
        String name,
        long seed,
        int repeat,
        ClusterSpec cluster,
        SortedMap<String, TopicSpec> topics,
        BridgeSpec bridge,
        LoadSpec load,
        List<Before> before,
        WarmupSpec warmup,
        MeasureSpec measure,
        Duration drain,
        Verify verify,
        Map<String, DisturbanceSpec> during,
        SortedMap<String, String> gridPoint,
        SortedMap<String, Setting> settings,
        String resolved) {
    /**
     * @param gridPoint dotted path to value, empty without a grid
     * @param settings every value with its origin, by dotted path
     * @param resolved the same variant as JSON text that {@link PlanReader#resolved} reads back
     */
    public Variant {
        topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
        before = List.copyOf(before);
        during = Map.copyOf(during);
        gridPoint = Collections.unmodifiableSortedMap(new TreeMap<>(gridPoint));
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    /** Every value as text, by dotted path. */
    public SortedMap<String, String> values() {
        SortedMap<String, String> values = new TreeMap<>();
        settings.values().forEach(setting -> values.put(setting.path(), setting.value()));
        return values;
    }

    /** The topics that the load uses, by their name in the plan. */
    public SortedMap<String, TopicSpec> usedTopics() {
        SortedMap<String, TopicSpec> used = new TreeMap<>(topics);
        if (load.workload() == LoadSpec.Workload.STREAM) {
            used.keySet().retainAll(List.of(load.from(), load.to()));
        } else if (!load.topics().isEmpty()) {
            used.keySet().retainAll(load.topics());
        }
        return used;
    }
}
