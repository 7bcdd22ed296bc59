package weir.probe.exporter;

import static weir.probe.exporter.ExporterRule.rule;
import static weir.probe.exporter.SeriesType.COUNTER;
import static weir.probe.exporter.SeriesType.GAUGE;
import static weir.probe.exporter.SeriesType.UNTYPED;

import java.util.List;
import java.util.stream.Stream;

/** The rules of two configurations of the JMX exporter for Kafka's brokers, both under the Apache License 2.0, in their order. */
final class ExporterRules {
    private ExporterRules() {}

    /** Shares of time, which both have. */
    private static final List<ExporterRule> PERCENTS = List.of(
            rule("kafka.(\\w+)<type=(.+), name=(.+)Percent\\w*><>MeanRate", "kafka_$1_$2_$3_percent", GAUGE),
            rule("kafka.(\\w+)<type=(.+), name=(.+)Percent\\w*><>Value", "kafka_$1_$2_$3_percent", GAUGE),
            rule(
                    "kafka.(\\w+)<type=(.+), name=(.+)Percent\\w*, (.+)=(.+)><>Value",
                    "kafka_$1_$2_$3_percent",
                    GAUGE,
                    "$4",
                    "$5"));

    /** Running totals, which both have. */
    private static final List<ExporterRule> TOTALS = List.of(
            rule(
                    "kafka.(\\w+)<type=(.+), name=(.+)PerSec\\w*, (.+)=(.+), (.+)=(.+)><>Count",
                    "kafka_$1_$2_$3_total",
                    COUNTER,
                    "$4",
                    "$5",
                    "$6",
                    "$7"),
            rule(
                    "kafka.(\\w+)<type=(.+), name=(.+)PerSec\\w*, (.+)=(.+)><>Count",
                    "kafka_$1_$2_$3_total",
                    COUNTER,
                    "$4",
                    "$5"),
            rule("kafka.(\\w+)<type=(.+), name=(.+)PerSec\\w*><>Count", "kafka_$1_$2_$3_total", COUNTER));

    /** Levels, and the counts and quantiles of histograms, which both have. */
    private static final List<ExporterRule> LEVELS_AND_HISTOGRAMS = List.of(
            rule(
                    "kafka.(\\w+)<type=(.+), name=(.+), (.+)=(.+), (.+)=(.+)><>Value",
                    "kafka_$1_$2_$3",
                    GAUGE,
                    "$4",
                    "$5",
                    "$6",
                    "$7"),
            rule("kafka.(\\w+)<type=(.+), name=(.+), (.+)=(.+)><>Value", "kafka_$1_$2_$3", GAUGE, "$4", "$5"),
            rule("kafka.(\\w+)<type=(.+), name=(.+)><>Value", "kafka_$1_$2_$3", GAUGE),
            rule(
                    "kafka.(\\w+)<type=(.+), name=(.+), (.+)=(.+), (.+)=(.+)><>Count",
                    "kafka_$1_$2_$3_count",
                    COUNTER,
                    "$4",
                    "$5",
                    "$6",
                    "$7"),
            rule(
                    "kafka.(\\w+)<type=(.+), name=(.+), (.+)=(.*), (.+)=(.+)><>(\\d+)thPercentile",
                    "kafka_$1_$2_$3",
                    GAUGE,
                    "$4",
                    "$5",
                    "$6",
                    "$7",
                    "quantile",
                    "0.$8"),
            rule("kafka.(\\w+)<type=(.+), name=(.+), (.+)=(.+)><>Count", "kafka_$1_$2_$3_count", COUNTER, "$4", "$5"),
            rule(
                    "kafka.(\\w+)<type=(.+), name=(.+), (.+)=(.*)><>(\\d+)thPercentile",
                    "kafka_$1_$2_$3",
                    GAUGE,
                    "$4",
                    "$5",
                    "quantile",
                    "0.$6"),
            rule("kafka.(\\w+)<type=(.+), name=(.+)><>Count", "kafka_$1_$2_$3_count", COUNTER),
            rule(
                    "kafka.(\\w+)<type=(.+), name=(.+)><>(\\d+)thPercentile",
                    "kafka_$1_$2_$3",
                    GAUGE,
                    "quantile",
                    "0.$4"));

    /** From examples/metrics/kafka-metrics.yaml of strimzi-kafka-operator, as of Strimzi 1.2 (August 2026). */
    static final List<ExporterRule> STRIMZI = Stream.of(
                    List.of(
                            rule(
                                    "kafka.server<type=(.+), name=(.+), clientId=(.+), topic=(.+), partition=(.*)><>Value",
                                    "kafka_server_$1_$2",
                                    GAUGE,
                                    "clientId",
                                    "$3",
                                    "topic",
                                    "$4",
                                    "partition",
                                    "$5"),
                            rule(
                                    "kafka.server<type=(.+), name=(.+), clientId=(.+), brokerHost=(.+), brokerPort=(.+)><>Value",
                                    "kafka_server_$1_$2",
                                    GAUGE,
                                    "clientId",
                                    "$3",
                                    "broker",
                                    "$4:$5"),
                            rule(
                                    "kafka.server<type=(.+), cipher=(.+), protocol=(.+), listener=(.+), networkProcessor=(.+)><>connections",
                                    "kafka_server_$1_connections_tls_info",
                                    GAUGE,
                                    "cipher",
                                    "$2",
                                    "protocol",
                                    "$3",
                                    "listener",
                                    "$4",
                                    "networkProcessor",
                                    "$5"),
                            rule(
                                    "kafka.server<type=(.+), clientSoftwareName=(.+), clientSoftwareVersion=(.+), listener=(.+), networkProcessor=(.+)><>connections",
                                    "kafka_server_$1_connections_software",
                                    GAUGE,
                                    "clientSoftwareName",
                                    "$2",
                                    "clientSoftwareVersion",
                                    "$3",
                                    "listener",
                                    "$4",
                                    "networkProcessor",
                                    "$5"),
                            rule(
                                    "kafka.server<type=(.+), listener=(.+), networkProcessor=(.+)><>(.+-total):",
                                    "kafka_server_$1_$4",
                                    COUNTER,
                                    "listener",
                                    "$2",
                                    "networkProcessor",
                                    "$3"),
                            rule(
                                    "kafka.server<type=(.+), listener=(.+), networkProcessor=(.+)><>(.+):",
                                    "kafka_server_$1_$4",
                                    GAUGE,
                                    "listener",
                                    "$2",
                                    "networkProcessor",
                                    "$3"),
                            rule(
                                    "kafka.server<type=(.+), listener=(.+), networkProcessor=(.+)><>(.+-total)",
                                    "kafka_server_$1_$4",
                                    COUNTER,
                                    "listener",
                                    "$2",
                                    "networkProcessor",
                                    "$3"),
                            rule(
                                    "kafka.server<type=(.+), listener=(.+), networkProcessor=(.+)><>(.+)",
                                    "kafka_server_$1_$4",
                                    GAUGE,
                                    "listener",
                                    "$2",
                                    "networkProcessor",
                                    "$3")),
                    PERCENTS,
                    TOTALS,
                    LEVELS_AND_HISTOGRAMS,
                    List.of(
                            rule(
                                    "kafka.server<type=raft-metrics><>(.+-total|.+-max):",
                                    "kafka_server_raftmetrics_$1",
                                    COUNTER),
                            rule(
                                            "kafka.server<type=raft-metrics><>(current-state): (.+)",
                                            "kafka_server_raftmetrics_$1",
                                            UNTYPED,
                                            "$1",
                                            "$2")
                                    .alwaysOne(),
                            rule("kafka.server<type=raft-metrics><>(.+):", "kafka_server_raftmetrics_$1", GAUGE),
                            rule(
                                    "kafka.server<type=raft-channel-metrics><>(.+-total|.+-max):",
                                    "kafka_server_raftchannelmetrics_$1",
                                    COUNTER),
                            rule(
                                    "kafka.server<type=raft-channel-metrics><>(.+):",
                                    "kafka_server_raftchannelmetrics_$1",
                                    GAUGE),
                            rule(
                                    "kafka.server<type=broker-metadata-metrics><>(.+):",
                                    "kafka_server_brokermetadatametrics_$1",
                                    GAUGE)))
            .flatMap(List::stream)
            .toList();

    /** From examples/kafka-2_0_0.yml of jmx_exporter, unchanged since 2023. */
    static final List<ExporterRule> KAFKA_2_0_0 = Stream.of(
                    List.of(
                            rule(
                                    "kafka.server<type=(.+), name=(.+), clientId=(.+), topic=(.+), partition=(.*)><>Value",
                                    "kafka_server_$1_$2",
                                    GAUGE,
                                    "clientId",
                                    "$3",
                                    "topic",
                                    "$4",
                                    "partition",
                                    "$5"),
                            rule(
                                    "kafka.server<type=(.+), name=(.+), clientId=(.+), brokerHost=(.+), brokerPort=(.+)><>Value",
                                    "kafka_server_$1_$2",
                                    GAUGE,
                                    "clientId",
                                    "$3",
                                    "broker",
                                    "$4:$5"),
                            rule(
                                    "kafka.coordinator.(\\w+)<type=(.+), name=(.+)><>Value",
                                    "kafka_coordinator_$1_$2_$3",
                                    GAUGE)),
                    TOTALS,
                    List.of(
                            rule(
                                    "kafka.server<type=(.+), user=(.+), client-id=(.+)><>([a-z-]+)",
                                    "kafka_server_quota_$4",
                                    GAUGE,
                                    "resource",
                                    "$1",
                                    "user",
                                    "$2",
                                    "clientId",
                                    "$3"),
                            rule(
                                    "kafka.server<type=(.+), client-id=(.+)><>([a-z-]+)",
                                    "kafka_server_quota_$3",
                                    GAUGE,
                                    "resource",
                                    "$1",
                                    "clientId",
                                    "$2"),
                            rule(
                                    "kafka.server<type=(.+), user=(.+)><>([a-z-]+)",
                                    "kafka_server_quota_$3",
                                    GAUGE,
                                    "resource",
                                    "$1",
                                    "user",
                                    "$2")),
                    LEVELS_AND_HISTOGRAMS,
                    PERCENTS)
            .flatMap(List::stream)
            .toList();
}
