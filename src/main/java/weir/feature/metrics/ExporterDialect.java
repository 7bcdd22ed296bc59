package weir.feature.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import weir.feature.metrics.ExporterDialect.ExporterName.SeriesType;
import weir.feature.metrics.ExpositionParser.Sample;
import weir.io.Io;
import weir.probe.BrokerFigure;
import weir.probe.Readings;

/** The sets of rules by which a JMX exporter names broker metrics. */
public enum ExporterDialect {
    /** Strimzi's rules, as current public dashboards expect: "_percent", "_total", KRaft, network processors. */
    STRIMZI("strimzi", "percents", "totals", "levels", "raft"),
    /**
     * The older rules: the exporter's own example since Kafka 2.0. In the name of a gauge, "percent" stays a part of
     * the MBean's name. The rules include coordinators and quotas, but no KRaft metrics.
     */
    KAFKA_2_0_0("kafka_2_0_0", "totals", "quotas", "levels", "percents"),
    /** No rules. The name consists of the MBean's type and attribute; all other keys are labels. */
    NO_RULES();

    private static final Pattern OF_METRICS = Pattern.compile("Count|Value|MeanRate|\\d+thPercentile");

    @SuppressWarnings("ImmutableEnumChecker") // Its lists are unmodifiable and contain records.
    final List<Rule> rules;

    ExporterDialect(String... sections) {
        this.rules = sections.length == 0 ? List.of() : Rule.of(sections);
    }

    /** Returns the name by the first matching rule; empty without a match, or for a text outside of labels. */
    public Optional<ExporterName> name(ObjectName bean, String attribute, Object value) {
        return named(bean, attribute, value)
                .filter(name -> name.one() || value instanceof Number || value instanceof Boolean);
    }

    public static boolean exportsOfMetric(String attribute) {
        return OF_METRICS.matcher(attribute).matches();
    }

    /** Replaces each sequence of forbidden characters or of underscores by one underscore. */
    public static String safe(String name) {
        String safe = name.replaceAll("[^a-zA-Z0-9:_]+|_+", "_").replaceAll("_+", "_");
        return !safe.isEmpty() && Character.isDigit(safe.charAt(0)) ? "_" + safe : safe;
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
        String type = keys.remove(keys.keySet().iterator().next());
        Map<String, String> labels = new LinkedHashMap<>();
        keys.forEach((key, value) -> labels.put(safe(key), value));
        return new ExporterName(safe(domain + "_" + type + "_" + attribute), labels, SeriesType.UNTYPED);
    }

    /** The keys in the order of registration, which rules depend on. Quoted values keep their quotes. */
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

    /**
     * One rule of a configuration of the JMX exporter.
     *
     * @param pattern found anywhere in {@code domain<key=value, key=value><>attribute: value}
     * @param attribute literal attribute at the end of most patterns, as a fast first test; empty for others
     * @param name with $1 for the first group; written in lower case, as all of these configurations specify
     * @param labels names and values, both with groups
     * @param one true if the value of the series is always 1
     */
    record Rule(
            Pattern pattern, String attribute, String name, SeriesType type, Map<String, String> labels, boolean one) {
        private static final Pattern ATTRIBUTE = Pattern.compile("(?:<>|\\+\\))([A-Za-z]+)$");

        Rule {
            labels = new LinkedHashMap<>(labels);
        }

        static Rule of(String pattern, String name, SeriesType type, Map<String, String> labels, boolean one) {
            Matcher end = ATTRIBUTE.matcher(pattern);
            String attribute = end.find() ? end.group(1) : "";
            return new Rule(Pattern.compile("^.*(?:" + pattern + ").*$"), attribute, name, type, labels, one);
        }

        private static List<Rule> of(String... sections) {
            Map<String, List<Rule>> all = new TreeMap<>();
            List<Rule> section = new ArrayList<>();
            for (String line :
                    Io.resource("/weir/feature/metrics/exporter-rules.txt").split("\n", -1)) {
                if (line.startsWith("[")) {
                    section = new ArrayList<>();
                    all.put(line.substring(1, line.length() - 1), section);
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    section.add(read(line));
                }
            }
            return Arrays.stream(sections)
                    .flatMap(name -> all.getOrDefault(name, List.of()).stream())
                    .toList();
        }

        private static Rule read(String line) {
            String[] parts = line.split(" -> ", -1);
            String[] words = parts[1].split(" ", -1);
            Map<String, String> labels = new LinkedHashMap<>();
            for (int i = 2; i < words.length; i++) {
                int equals = words[i].indexOf('=');
                if (equals > 0) {
                    labels.put(words[i].substring(0, equals), words[i].substring(equals + 1));
                }
            }
            SeriesType type = SeriesType.valueOf(words[1].toUpperCase(Locale.ROOT));
            return of(parts[0], words[0], type, labels, List.of(words).contains("one"));
        }

        Optional<ExporterName> name(String described) {
            if (!described.contains(attribute)) {
                return Optional.empty();
            }
            Matcher matcher = pattern.matcher(described);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            TreeMap<String, String> labelled = new TreeMap<>();
            labels.forEach((label, value) -> {
                String labelName = safe(matcher.replaceAll(label));
                String labelValue = matcher.replaceAll(value);
                if (!labelName.isEmpty() && !labelValue.isEmpty()) {
                    labelled.put(labelName, labelValue);
                }
            });
            matcher.reset();
            String named = safe(matcher.replaceAll(name)).toLowerCase(Locale.ROOT);
            return Optional.of(new ExporterName(named, labelled, type, one));
        }
    }

    /**
     * The exported name, labels and type of one attribute of an MBean.
     *
     * @param one true if the attribute is a text. A label contains the text, and the value is always 1.
     */
    public record ExporterName(String name, SortedMap<String, String> labels, SeriesType type, boolean one) {
        /** Endings of names that Prometheus' Java client reserves since version 1.0. */
        private static final Pattern RESERVED = Pattern.compile("(_total|_created|_bucket|_info)+$");

        public enum SeriesType {
            COUNTER,
            GAUGE,
            UNTYPED
        }

        public ExporterName {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("a series must have a name; its labels: " + labels);
            }
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }

        ExporterName(String name, Map<String, String> labels, SeriesType type) {
            this(name, new TreeMap<>(labels), type, false);
        }

        /**
         * The name in exporters from version 1.0 on. All counters end with "_total", even after "_count"; no other series
         * does. Exporters up to 0.20 use the name of the rule.
         */
        public ExporterName fromRelease1() {
            String bare = RESERVED.matcher(name).replaceFirst("");
            return new ExporterName(type == SeriesType.COUNTER ? bare + "_total" : bare, labels, type, one);
        }

        public static Collection<ExporterName> spellings(ObjectName bean, String attribute) {
            Set<ExporterName> all = new LinkedHashSet<>();
            for (ExporterDialect dialect : ExporterDialect.values()) {
                dialect.name(bean, attribute, 0).ifPresent(name -> {
                    all.add(name.fromRelease1());
                    all.add(name);
                });
            }
            return all;
        }
    }

    /** A mapping of exported samples to figures of a broker. */
    static final class ExportedFigures {
        static final String MEAN = "Mean";

        /**
         * Labels that are keys of Kafka's MBeans. If the figure lacks such a label, the sample describes only a part of the
         * broker, such as one topic. Collectors add all other labels.
         */
        private static final Set<String> OF_PARTS = Set.of(
                "topic",
                "partition",
                "clientid",
                "request",
                "error",
                "version",
                "listener",
                "networkprocessor",
                "processor",
                "quantile",
                "delayedoperation",
                "name",
                "type",
                "user",
                "acceptor",
                "area",
                "id");

        private final Map<String, List<Wanted>> byName = new HashMap<>();

        record Wanted(BrokerFigure figure, String attribute, SortedMap<String, String> labels) {}

        static boolean fits(Sample sample, Map<String, String> labels) {
            return labels.entrySet().stream()
                            .allMatch(label -> sample.label(label.getKey()).equals(label.getValue()))
                    && sample.labels().keySet().stream()
                            .allMatch(label ->
                                    labels.containsKey(label) || !OF_PARTS.contains(label.toLowerCase(Locale.ROOT)));
        }

        ExportedFigures() {
            for (BrokerFigure figure : BrokerFigure.ALL) {
                for (String attribute : figure.form().attributes()) {
                    for (ExporterName name : ExporterName.spellings(figure.name(), attribute)) {
                        add(name.name(), new Wanted(figure, attribute, name.labels()));
                    }
                }
                if (figure.form().attributes().contains(MEAN)) {
                    // No public configuration exports it. Its rule would follow that of Count, with mean instead of
                    // count.
                    for (ExporterName name : ExporterName.spellings(figure.name(), "Count")) {
                        if (name.name().endsWith("_count")) {
                            add(name.name().replaceFirst("_count$", "_mean"), new Wanted(figure, MEAN, name.labels()));
                        }
                    }
                }
            }
        }

        private void add(String name, Wanted wanted) {
            List<Wanted> all = byName.computeIfAbsent(name, first -> new ArrayList<>());
            if (!all.contains(wanted)) {
                all.add(wanted);
            }
        }

        boolean has(String name) {
            return byName.containsKey(name);
        }

        List<Wanted> of(Sample sample) {
            return byName.getOrDefault(sample.name(), List.of()).stream()
                    .filter(wanted -> fits(sample, wanted.labels()))
                    .toList();
        }

        /**
         * A figure of the JVM or the process of a broker, with the names of Prometheus' Java clients from 0.x to 1.x.
         *
         * @param total true for a running total, shown per second
         */
        record JvmSample(String metric, Map<String, String> labels, boolean total, double scale) {
            private static final double MIB = 1 << 20;
            private static final JvmSample HEAP =
                    new JvmSample("heap.used.mib", Map.of("area", "heap"), false, 1 / MIB);
            private static final Map<String, JvmSample> ALL = Map.of(
                    "jvm_memory_used_bytes",
                    HEAP,
                    "jvm_memory_bytes_used",
                    HEAP,
                    "process_cpu_seconds_total",
                    new JvmSample("cpu.cores", Map.of(), true, 1),
                    "process_resident_memory_bytes",
                    new JvmSample("memory.rss.mib", Map.of(), false, 1 / MIB));

            static boolean has(String name) {
                return ALL.containsKey(name);
            }

            static Optional<JvmSample> of(Sample sample) {
                return Optional.ofNullable(ALL.get(sample.name()))
                        .filter(jvm -> ExportedFigures.fits(sample, jvm.labels()));
            }

            void report(double value, Readings into) {
                if (total) {
                    into.rate(metric, value * scale);
                } else {
                    into.level(metric, value * scale);
                }
            }
        }
    }
}
