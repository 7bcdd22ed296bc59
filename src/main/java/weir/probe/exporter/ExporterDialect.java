package weir.probe.exporter;

import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.ObjectName;

/** The rules by which an exporter names what brokers say about themselves. */
public enum ExporterDialect {
    /** Strimzi's, which public dashboards of today expect: "_percent", "_total", KRaft and each network processor. */
    STRIMZI(ExporterRules.STRIMZI),
    /**
     * The older one: the exporter's own example since Kafka 2.0, from which Strimzi's was made. It keeps "percent" in the name
     * of a level, has the coordinators and quotas, and knows nothing of KRaft.
     */
    KAFKA_2_0_0(ExporterRules.KAFKA_2_0_0),
    /** An exporter without a configuration: the type and the attribute make the name, all other keys are labels. */
    NO_RULES(List.of());

    /** The attributes in the patterns of both rule sets, of MBeans that have a name. */
    private static final Pattern OF_METRICS = Pattern.compile("Count|Value|MeanRate|\\d+thPercentile");

    @SuppressWarnings("ImmutableEnumChecker") // It is: List.of of records that nobody changes.
    private final List<ExporterRule> rules;

    ExporterDialect(List<ExporterRule> rules) {
        this.rules = rules;
    }

    /**
     * The name of this attribute by the first rule that says something of it; empty for what is not exported: no rule, or
     * neither a number nor a rule that makes its text a label.
     */
    public Optional<ExporterName> name(ObjectName bean, String attribute, Object value) {
        return named(bean, attribute, value).filter(name -> name.one() || number(value));
    }

    /** True for an attribute of an MBean with a name that some rule may export; all others are further statistics. */
    public static boolean exportsOfMetric(String attribute) {
        return OF_METRICS.matcher(attribute).matches();
    }

    /** The name of a label that is a key of an MBean. */
    public static String label(String key) {
        return ExporterRule.safe(key);
    }

    private Optional<ExporterName> named(ObjectName bean, String attribute, Object value) {
        Map<String, String> keys = keys(bean);
        if (rules.isEmpty()) {
            return Optional.of(withoutRules(bean.getDomain(), keys, attribute));
        }
        String listed = keys.entrySet().stream()
                .map(key -> key.getKey() + "=" + key.getValue())
                .collect(Collectors.joining(", "));
        String described = bean.getDomain() + "<" + listed + "><>" + attribute + ": " + value;
        return rules.stream().flatMap(rule -> rule.name(described).stream()).findFirst();
    }

    private static ExporterName withoutRules(String domain, Map<String, String> keys, String attribute) {
        Map<String, String> labels = new LinkedHashMap<>(keys);
        String first = keys.keySet().iterator().next();
        String type = labels.remove(first);
        Map<String, String> safe = new LinkedHashMap<>();
        labels.forEach((key, value) -> safe.put(ExporterRule.safe(key), value));
        return new ExporterName(ExporterRule.safe(domain + "_" + type + "_" + attribute), safe, SeriesType.UNTYPED);
    }

    private static boolean number(Object value) {
        return value instanceof Number || value instanceof Boolean;
    }

    /** In the order in which the MBean was registered, on which rules depend; quoted values keep their quotes. */
    private static Map<String, String> keys(ObjectName bean) {
        Hashtable<String, String> values = bean.getKeyPropertyList();
        Map<String, String> ordered = new LinkedHashMap<>();
        String rest = bean.getKeyPropertyListString();
        while (!rest.isEmpty()) {
            String key = rest.substring(0, rest.indexOf('='));
            String value = Objects.requireNonNull(values.get(key));
            ordered.put(key, value);
            int end = key.length() + 1 + value.length() + 1;
            rest = end < rest.length() ? rest.substring(end) : "";
        }
        return ordered;
    }
}
