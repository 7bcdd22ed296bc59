package weir.worker;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import weir.measure.LoadListener;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;

/**
 * The parameters for starting a bridge in a trial.
 *
 * @param complete maps a Kafka client's own properties to all its properties, with secrets resolved
 * @param topics maps the name of a topic in the plan to its name on the cluster
 * @param group the prefix of the bridge's consumer groups
 * @param classPath the classes that the properties need in addition to Weir's
 * @param originNanos the time of second 0 in the processes' figures
 * @param secrets the values that the processes never show
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
