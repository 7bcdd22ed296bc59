package weir.worker;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import weir.measure.LoadListener;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;

/**
 * A trial in which a bridge is started.
 *
 * @param complete returns all properties of a Kafka client from its own, secrets resolved
 * @param topics returns the name of a topic on the cluster from that in the plan
 * @param group the beginning of its groups' names
 * @param classPath of the classes that the properties need beside Weir's own
 * @param originNanos second 0 of the processes' own figures
 * @param secrets values that its processes never show
 * @param folder of the trial, for logs and configurations
 * @param listener receives the processes' own figures
 */
public record BridgeStart(
        Variant variant,
        UnaryOperator<SortedMap<String, String>> complete,
        UnaryOperator<String> topics,
        String group,
        List<String> classPath,
        long originNanos,
        ResolvedSecrets secrets,
        Path folder,
        LoadListener listener) {}
