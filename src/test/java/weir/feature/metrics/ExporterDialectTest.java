package weir.feature.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import weir.feature.metrics.ExporterName.SeriesType;

/**
 * Holds our names to those of the real agent, jmx_prometheus_javaagent, in a broker of Kafka 4.3.1: broker.beans lists MBeans
 * with their attributes as read through JMX, and each .series what the agent offered at that time. Both were cut to one
 * request, one listener and three partitions, and without rules to counts, levels and means in Kafka's own domains.
 */
class ExporterDialectTest {
    @Test
    void strimzisRulesNameEverySeriesAsTheAgentOfRelease1DoesWithItsLabelsAndType() throws Exception {
        assertThat(ours(ExporterDialect.STRIMZI)).containsExactlyInAnyOrderElementsOf(agents("strimzi-1.0.1"));
    }

    @Test
    void theRulesAreThoseOfStrimzisFile() throws IOException {
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream("strimzi.yml"))) {
            Map<?, ?> read = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromInputStream(file);
            List<ExporterDialect.Rule> rules = new ArrayList<>();
            for (Object each : (List<?>) Objects.requireNonNull(read.get("rules"))) {
                rules.add(rule((Map<?, ?>) each));
            }
            assertThat(ExporterDialect.STRIMZI.rules)
                    .usingRecursiveComparison()
                    .withEqualsForType((a, b) -> a.pattern().equals(b.pattern()), Pattern.class)
                    .isEqualTo(rules);
        }
    }

    private static ExporterDialect.Rule rule(Map<?, ?> read) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (read.get("labels") instanceof Map<?, ?> named) {
            named.forEach((name, value) -> labels.put(name.toString(), value.toString()));
        }
        return ExporterDialect.Rule.of(
                String.valueOf(read.get("pattern")),
                String.valueOf(read.get("name")),
                SeriesType.valueOf(String.valueOf(read.get("type"))),
                labels,
                read.containsKey("value"));
    }

    @Test
    void theOlderRulesNameEverySeriesAsTheAgentDoes() throws Exception {
        assertThat(ours(ExporterDialect.KAFKA_2_0_0)).containsExactlyInAnyOrderElementsOf(agents("kafka-2_0_0-1.0.1"));
    }

    @Test
    void withoutRulesEveryCountAndLevelIsNamedAsTheAgentDoes() throws Exception {
        Set<String> ours = ours(ExporterDialect.NO_RULES);
        ours.removeIf(series -> !series.matches("kafka\\w+_(Count|Value|Mean)\t.*"));
        assertThat(ours).containsExactlyInAnyOrderElementsOf(agents("no-rules-1.0.1"));
    }

    @Test
    void upToRelease020TheRulesOwnNameIsTheSeries() throws Exception {
        TreeSet<String> names = new TreeSet<>();
        for (ExporterName name : named(ExporterDialect.STRIMZI)) {
            names.add(name.name());
        }
        assertThat(names).containsExactlyInAnyOrderElementsOf(agents("strimzi-0.20.0"));
    }

    @Test
    void everySpellingOfABytesCounterIsOffered() throws Exception {
        ObjectName bean = new ObjectName("kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec,topic=orders");
        assertThat(ExporterName.spellings(bean, "Count"))
                .containsExactly(
                        series("kafka_server_brokertopicmetrics_bytesin_total", SeriesType.COUNTER, "topic", "orders"),
                        new ExporterName(
                                "kafka_server_BrokerTopicMetrics_Count",
                                Map.of("name", "BytesInPerSec", "topic", "orders"),
                                SeriesType.UNTYPED));
    }

    @Test
    void everySpellingOfARequestsCountIsOfferedWithAndWithoutTotal() throws Exception {
        ObjectName bean = new ObjectName("kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce");
        String name = "kafka_network_requestmetrics_totaltimems_count";
        assertThat(ExporterName.spellings(bean, "Count"))
                .startsWith(
                        series(name + "_total", SeriesType.COUNTER, "request", "Produce"),
                        series(name, SeriesType.COUNTER, "request", "Produce"));
        assertThat(ExporterName.spellings(bean, "99thPercentile"))
                .first()
                .isEqualTo(new ExporterName(
                        "kafka_network_requestmetrics_totaltimems",
                        Map.of("request", "Produce", "quantile", "0.99"),
                        SeriesType.GAUGE));
    }

    @Test
    void theIdleShareOfNetworkThreadsIsAPercentInOneDialectAndPartOfTheNameInTheOther() throws Exception {
        ObjectName bean = new ObjectName("kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent");
        assertThat(ExporterName.spellings(bean, "Value").stream().map(ExporterName::name))
                .containsExactly(
                        "kafka_network_socketserver_networkprocessoravgidle_percent",
                        "kafka_network_socketserver_networkprocessoravgidlepercent",
                        "kafka_network_SocketServer_Value");
    }

    @Test
    void textIsExportedOnlyWhereARuleMakesItALabel() throws Exception {
        assertThat(ExporterDialect.STRIMZI.name(
                        new ObjectName("kafka.server:type=KafkaServer,name=ClusterId"), "Value", "abc"))
                .isEmpty();
        ExporterName state = ExporterDialect.STRIMZI
                .name(new ObjectName("kafka.server:type=raft-metrics"), "current-state", "leader")
                .orElseThrow();
        assertThat(state)
                .isEqualTo(new ExporterName(
                        "kafka_server_raftmetrics_current_state",
                        new TreeMap<>(Map.of("current_state", "leader")),
                        SeriesType.UNTYPED,
                        true));
    }

    private static ExporterName series(String name, SeriesType type, String label, String value) {
        return new ExporterName(name, Map.of(label, value), type);
    }

    private static List<ExporterName> named(ExporterDialect dialect) throws IOException, MalformedObjectNameException {
        List<ExporterName> names = new ArrayList<>();
        for (String line : lines("broker.beans")) {
            String[] parts = line.split("\t", 2);
            for (String attribute : parts[1].split(" ", -1)) {
                int text = attribute.indexOf('=');
                String name = text < 0 ? attribute : attribute.substring(0, text);
                Object value = text < 0 ? (Object) 1 : attribute.substring(text + 1);
                dialect.name(new ObjectName(parts[0]), name, value).ifPresent(names::add);
            }
        }
        return names;
    }

    private static Set<String> ours(ExporterDialect dialect) throws Exception {
        TreeSet<String> all = new TreeSet<>();
        for (ExporterName name : named(dialect)) {
            ExporterName series = name.fromRelease1();
            SortedMap<String, String> labels = series.labels();
            all.add(series.name() + "\t" + series.type().name().toLowerCase(Locale.ROOT) + "\t"
                    + labels.entrySet().stream()
                            .map(label -> label.getKey() + "=" + label.getValue())
                            .collect(Collectors.joining(",")));
        }
        return all;
    }

    private static Set<String> agents(String file) throws IOException {
        return new TreeSet<>(lines(file + ".series"));
    }

    private static List<String> lines(String file) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                        Objects.requireNonNull(ExporterDialectTest.class.getResourceAsStream(file)), UTF_8));
                Stream<String> lines = reader.lines()) {
            return lines.toList();
        }
    }
}
