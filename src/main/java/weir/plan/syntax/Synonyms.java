package weir.plan.syntax;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names in Kafka's tools, OpenMessaging and k6 for keys and metrics that Weir names differently. */
public final class Synonyms {
    private static final String SIZE = "load.value.size";
    private static final String LENGTH = "measure";
    private static final String OPERATIONS = "measure: { operations: 1000 }";

    /** The keys by their foreign names, without dots, dashes and capitals. */
    static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("compression", "load.producer.compression.type"),
            Map.entry("batching", "load.producer.batch.size"),
            Map.entry("linger", "load.producer.linger.ms"),
            Map.entry("idempotence", "load.producer.enable.idempotence"),
            Map.entry("duration", LENGTH),
            Map.entry("testdurationminutes", LENGTH),
            Map.entry("length", LENGTH),
            Map.entry("time", LENGTH),
            Map.entry("warmupdurationminutes", "warmup"),
            Map.entry("iterations", OPERATIONS),
            Map.entry("numrecords", OPERATIONS),
            Map.entry("nummessages", OPERATIONS),
            Map.entry("throughput", "load.rate"),
            Map.entry("producerrate", "load.rate"),
            Map.entry("rps", "load.rate"),
            Map.entry("stages", "load.rate.steps"),
            Map.entry("vus", "load.producers"),
            Map.entry("threads", "load.producers"),
            Map.entry("clients", "load.producers"),
            Map.entry("producerspertopic", "load.producers"),
            Map.entry("consumerpersubscription", "load.consumers"),
            Map.entry("groupid", "load.group"),
            Map.entry("recordsize", SIZE),
            Map.entry("messagesize", SIZE),
            Map.entry("payloadsize", SIZE),
            Map.entry("payload", "load.value"),
            Map.entry("payloadfile", "load.value.file"),
            Map.entry("consumerbacklogsizegb", "load.backlog"),
            Map.entry("transactionalid", "load.transaction"),
            Map.entry("topic", "topics"),
            Map.entry("partitionspertopic", "topics.*.partitions"),
            Map.entry("replicationfactor", "topics.*.replication"),
            Map.entry("bootstrapserver", "cluster.bootstrap"),
            Map.entry("bootstrapservers", "cluster.bootstrap"),
            Map.entry("version", "cluster.kafka"),
            Map.entry("thresholds", "expect"),
            Map.entry("assertions", "expect"),
            Map.entry("scenarios", "variants"),
            Map.entry("matrix", "grid"),
            Map.entry("repetitions", "repeat"),
            Map.entry("trials", "repeat"),
            Map.entry("runs", "repeat"),
            Map.entry("chaos", "during"),
            Map.entry("faults", "during"));

    static final Map<String, String> METRICS = Map.ofEntries(
            Map.entry("latency", "response p99"),
            Map.entry("httpreqduration", "response p99"),
            Map.entry("publishlatency", "service p99"),
            Map.entry("endtoendlatency", "e2e p99"),
            Map.entry("avg", "response mean"),
            Map.entry("mean", "response mean"),
            Map.entry("max", "response max"),
            Map.entry("throughput", "acked/s"),
            Map.entry("publishrate", "acked/s"),
            Map.entry("consumerate", "received/s"),
            Map.entry("rps", "acked/s"),
            Map.entry("mb/s", "MiB/s"),
            Map.entry("mbsec", "MiB/s"),
            Map.entry("errors", "failed"),
            Map.entry("httpreqfailed", "failed"),
            Map.entry("loss", "lost"),
            Map.entry("duplicates", "duplicated"),
            Map.entry("outoforder", "reordered"),
            Map.entry("consumerlag", "lag max"),
            Map.entry("recordslag", "lag max"));

    private static final Pattern PERCENTILE = Pattern.compile("p\\(?([0-9]{1,2}(?:\\.[0-9]{1,6})?)\\)?");
    private static final Pattern DOTTED = Pattern.compile("([a-z0-9-]+)[._-](p[0-9.]+|mean|max|end)");

    private Synonyms() {}

    public static String ofKey(String word) {
        return hint(KEYS.getOrDefault(plain(word), ""));
    }

    public static String ofMetric(String word) {
        Matcher percentile = PERCENTILE.matcher(word);
        if (percentile.matches()) {
            return hint("response p" + percentile.group(1));
        }
        Matcher dotted = DOTTED.matcher(word);
        if (dotted.matches() && Glossary.metrics().containsKey(dotted.group(1))) {
            return hint(dotted.group(1) + " " + dotted.group(2));
        }
        return hint(METRICS.getOrDefault(plain(word), ""));
    }

    private static String hint(String written) {
        return written.isEmpty() ? "" : "; here it is written '" + written.replace("*", "NAME") + "'";
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
    }
}
