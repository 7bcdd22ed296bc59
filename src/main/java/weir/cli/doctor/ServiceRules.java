package weir.cli.doctor;

import static weir.cli.doctor.AdviceRule.Judgement.bad;
import static weir.cli.doctor.AdviceRule.Judgement.doubt;
import static weir.cli.doctor.AdviceRule.Judgement.fine;
import static weir.cli.doctor.AdviceRule.Judgement.unknown;
import static weir.cli.doctor.ClusterFacts.property;
import static weir.cli.doctor.ClusterFacts.some;
import static weir.cli.doctor.ClusterFacts.told;
import static weir.cli.doctor.DurabilityRules.number;
import static weir.cli.doctor.DurabilityRules.topics;
import static weir.cli.doctor.HostRules.kibibytes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.cli.doctor.AdviceRule.Judgement;
import weir.cluster.admin.ClusterSurvey;
import weir.plan.property.Property;

/** The rules for how fast, how evenly and for whom the brokers of a cluster work. */
final class ServiceRules {
    private static final double SMALL_SEGMENT = 64.0 * (1 << 20);

    /** The bytes before a batch: Kafka's own default of message.max.bytes is so much above that of a fetch. */
    private static final double LOG_OVERHEAD = 12;

    /** Names whose values are not shown: brokers mark only those as secrets that they know. */
    private static final Pattern SECRETIVE =
            Pattern.compile("password|secret|key|token|licen[cs]e|credential|jaas", Pattern.CASE_INSENSITIVE);

    /** Properties that differ between brokers because brokers do. */
    private static final Set<String> OWN = Set.of(
            "node.id",
            "broker.id",
            "broker.rack",
            "listeners",
            "advertised.listeners",
            "log.dir",
            "log.dirs",
            "metadata.log.dir",
            "process.roles");

    static final List<AdviceRule<ClusterSurvey>> ALL = List.of(
            new AdviceRule<>(
                    "num.network.threads",
                    "3, Kafka's default, or more",
                    AdviceSource.MONITORING,
                    "requests do not wait to be read and answered",
                    property("num.network.threads", values -> threads("num.network.threads", values, 3))),
            new AdviceRule<>(
                    "num.io.threads",
                    "8, Kafka's default, or more, and one for each log folder",
                    AdviceSource.MONITORING,
                    "requests do not wait in the queue",
                    ServiceRules::handlers),
            new AdviceRule<>(
                    "num.replica.fetchers",
                    "more than one where replicas do not keep up",
                    AdviceSource.property("num.replica.fetchers"),
                    "replicas catch up sooner, so acks=all waits less",
                    ServiceRules::fetchers),
            new AdviceRule<>(
                    "message sizes",
                    "message.max.bytes, also of topics, is within replica.fetch.max.bytes and socket.request.max.bytes",
                    AdviceSource.property("replica.fetch.max.bytes"),
                    "the largest batch a topic takes can be sent and is replicated without one fetch for each",
                    ServiceRules::sizes),
            topics(
                    "segment.bytes of topics",
                    "64 MiB or more, but for compacted topics, of which only closed segments are compacted",
                    AdviceSource.HARDWARE,
                    "fewer open files and memory maps, two for each segment",
                    survey -> topic -> number(topic, "segment.bytes", 1 << 30) < SMALL_SEGMENT
                            && !topic.config()
                                    .getOrDefault("cleanup.policy", "delete")
                                    .contains("compact"),
                    topic -> kibibytes(number(topic, "segment.bytes", 1 << 30)),
                    "make many small files",
                    "kafka-configs.sh --alter --entity-type topics --entity-name TOPIC --delete-config segment.bytes"),
            topics(
                    "compression.type of topics",
                    "producer: batches stay as producers made them",
                    AdviceSource.topic("compression.type"),
                    "brokers do not decompress and compress each batch again",
                    survey -> topic -> !topic.internal()
                            && !topic.config()
                                    .getOrDefault("compression.type", "producer")
                                    .equals("producer"),
                    topic -> topic.config().getOrDefault("compression.type", "producer"),
                    "have brokers compress again all that comes in another way",
                    "compression.type=producer, and let producers compress"),
            new AdviceRule<>(
                    "auto.create.topics.enable",
                    "false in clusters that matter",
                    AdviceSource.property("auto.create.topics.enable"),
                    "a misspelt name is an error, and not a topic of one partition that nobody reads",
                    property(
                            "auto.create.topics.enable",
                            values -> values.any("true")
                                    ? doubt(
                                            values.figure(),
                                            "whoever asks for a topic makes it, with the defaults",
                                            "auto.create.topics.enable=false")
                                    : fine(values.figure(), "topics are made on purpose"))),
            new AdviceRule<>(
                    "auto.leader.rebalance.enable",
                    "true",
                    AdviceSource.property("auto.leader.rebalance.enable"),
                    "leaders go back to where they belong after a restart, and the load with them",
                    property(
                            "auto.leader.rebalance.enable",
                            values -> values.any("false")
                                    ? doubt(
                                            values.figure(),
                                            "after restarts some brokers lead more and more",
                                            "auto.leader.rebalance.enable=true, or kafka-leader-election.sh after each restart")
                                    : fine(values.figure(), "leaders go back by themselves"))),
            new AdviceRule<>(
                    "throttles of replication",
                    "none, when no partition is being moved",
                    AdviceSource.OPERATIONS,
                    "replicas that fell behind catch up at full speed",
                    ServiceRules::throttles),
            new AdviceRule<>(
                    "quotas",
                    "known to whoever measures or sizes",
                    AdviceSource.TENANTS,
                    "a limit of a client is not taken for one of the brokers",
                    survey -> told(
                            survey.quotas(),
                            quotas -> quotas.isEmpty()
                                    ? fine("none", "clients are limited by the brokers alone")
                                    : doubt(
                                            String.valueOf(quotas.size()),
                                            some(quotas),
                                            "see kafka-configs.sh --describe --entity-type clients and users"))),
            new AdviceRule<>(
                    "properties that differ",
                    "brokers of a cluster have the same, but for their own numbers, addresses and folders",
                    AdviceSource.DYNAMIC,
                    "a partition is as fast and as safe on one broker as on any other",
                    survey -> told(survey.properties(), ServiceRules::differences)),
            new AdviceRule<>(
                    "properties that brokers do not know",
                    "none",
                    AdviceSource.UPGRADE,
                    "no setting that somebody relies on is misspelt, or was removed by an upgrade",
                    survey -> told(
                            survey.unknown(),
                            unknown -> unknown.isEmpty()
                                    ? fine("none", "all that was given is known")
                                    : doubt(
                                            String.valueOf(unknown.size()),
                                            some(unknown) + ": without effect, unless a plugin reads it",
                                            "correct or remove it"))),
            new AdviceRule<>(
                    "metadata.version",
                    "the highest that all brokers know, once an upgrade is done",
                    AdviceSource.UPGRADE,
                    "what the newer release brought is in use",
                    survey -> told(
                            survey.metadata(),
                            level -> level.highest() == 0
                                    ? unknown("a cluster with ZooKeeper has none")
                                    : level.holds() < level.highest()
                                            ? doubt(
                                                    level.holds() + " of " + level.highest(),
                                                    "all brokers know a higher one: an upgrade was not finished",
                                                    "kafka-features.sh upgrade --release-version NEW, when it is not to be undone")
                                            : fine(
                                                    String.valueOf(level.holds()),
                                                    "the highest that all brokers know"))),
            new AdviceRule<>(
                    "listeners",
                    "encrypted (SSL or SASL_SSL), where they can be reached from other machines",
                    AdviceSource.SECURITY,
                    "nobody on the way reads or changes records and passwords",
                    ServiceRules::listeners));

    private ServiceRules() {}

    private static Judgement threads(String name, ClusterFacts.Values values, int least) {
        String cores = "; the cores of its host are not told over Kafka's protocol";
        return values.least() < least
                ? doubt(
                        values.figure(),
                        "is below Kafka's default of " + least + cores,
                        name + "=" + least + " or more")
                : fine(values.figure(), "Kafka's default or more" + cores);
    }

    private static Judgement handlers(ClusterSurvey survey) {
        return property(
                        "num.io.threads",
                        values -> told(survey.disks(), disks -> {
                            Map<Integer, Integer> folders = new TreeMap<>();
                            disks.forEach(disk -> folders.merge(disk.broker(), 1, Integer::sum));
                            int most = folders.values().stream()
                                    .mapToInt(Integer::intValue)
                                    .max()
                                    .orElse(0);
                            return values.least() < most
                                    ? doubt(
                                            values.figure(),
                                            "a broker has " + most + " log folders, more than threads that write",
                                            "num.io.threads=" + Math.max(8, most))
                                    : threads("num.io.threads", values, 8);
                        }))
                .apply(survey);
    }

    private static Judgement fetchers(ClusterSurvey survey) {
        return property(
                        "num.replica.fetchers",
                        values -> told(survey.topics(), topics -> {
                            long behind = topics.stream()
                                    .flatMap(topic -> topic.partitions().stream())
                                    .filter(partition -> partition.inSync().size()
                                            < partition.replicas().size())
                                    .count();
                            return behind == 0
                                    ? fine(values.figure(), "all replicas are in sync")
                                    : values.least() > 1
                                            ? fine(values.figure(), "more than one for each other broker")
                                            : doubt(
                                                    values.figure(),
                                                    behind
                                                            + " partitions are under-replicated, and one thread fetches all of a"
                                                            + " broker's",
                                                    "num.replica.fetchers=2 or more, if all brokers are up");
                        }))
                .apply(survey);
    }

    private static Judgement sizes(ClusterSurvey survey) {
        return property(
                        "message.max.bytes",
                        messages -> property(
                                        "replica.fetch.max.bytes",
                                        fetches -> property(
                                                        "socket.request.max.bytes",
                                                        requests -> told(survey.topics(), topics -> {
                                                            double largest = topics.stream()
                                                                    .mapToDouble(topic -> number(
                                                                            topic,
                                                                            "max.message.bytes",
                                                                            messages.most()))
                                                                    .reduce(messages.most(), Math::max);
                                                            String figure = kibibytes(largest) + ", "
                                                                    + kibibytes(fetches.least()) + ", "
                                                                    + kibibytes(requests.least());
                                                            return largest > requests.least()
                                                                    ? bad(
                                                                            figure,
                                                                            "the largest message does not fit into a request, which closes"
                                                                                    + " the connection",
                                                                            "raise socket.request.max.bytes above message.max.bytes")
                                                                    : largest > fetches.least() + LOG_OVERHEAD
                                                                            ? doubt(
                                                                                    figure,
                                                                                    "large batches are replicated one at a time",
                                                                                    "raise replica.fetch.max.bytes to the largest"
                                                                                            + " max.message.bytes")
                                                                            : fine(
                                                                                    figure,
                                                                                    "the largest message fits into all of them");
                                                        }))
                                                .apply(survey))
                                .apply(survey))
                .apply(survey);
    }

    private static Judgement throttles(ClusterSurvey survey) {
        return told(survey.properties(), properties -> {
            List<String> set = new ArrayList<>();
            for (String name : List.of(
                    "leader.replication.throttled.rate",
                    "follower.replication.throttled.rate",
                    "replica.alter.log.dirs.io.max.bytes.per.second")) {
                ClusterSurvey.values(properties, name).forEach((broker, value) -> {
                    if (value.matches("\\d{1,19}") && Double.parseDouble(value) < Long.MAX_VALUE) {
                        set.add(name + "=" + value + " of broker " + broker);
                    }
                });
            }
            return set.isEmpty()
                    ? fine("none", "replicas are fetched at full speed")
                    : doubt(
                            String.valueOf(set.size()),
                            some(set) + ", as a move of partitions leaves behind that was never verified",
                            "kafka-reassign-partitions.sh --verify removes them when the move is done");
        });
    }

    private static Judgement differences(SortedMap<Integer, SortedMap<String, Property>> properties) {
        Set<String> names = new TreeSet<>();
        properties.values().forEach(all -> names.addAll(all.keySet()));
        names.removeIf(
                name -> OWN.contains(name) || name.matches("(listener\\.name|ssl|sasl|controller\\.quorum)\\..*"));
        List<String> differ = new ArrayList<>();
        for (String name : names) {
            Set<String> values =
                    new TreeSet<>(ClusterSurvey.values(properties, name).values());
            if (values.size() > 1) {
                differ.add(
                        SECRETIVE.matcher(name).find()
                                ? name
                                : name + " ("
                                        + values.stream()
                                                .map(value -> value.isEmpty() ? "none" : value)
                                                .collect(Collectors.joining(" / "))
                                        + ")");
            }
        }
        return differ.isEmpty()
                ? fine("none", properties.size() == 1 ? "there is one broker" : "all brokers have the same")
                : doubt(
                        String.valueOf(differ.size()),
                        some(differ),
                        "set it for all of them: kafka-configs.sh --alter --entity-type brokers --entity-default");
    }

    private static Judgement listeners(ClusterSurvey survey) {
        return property(
                        "listeners",
                        names -> property("listener.security.protocol.map", maps -> {
                                    Set<String> open = new TreeSet<>();
                                    names.all()
                                            .forEach((broker, listeners) -> open.addAll(
                                                    open(listeners, maps.all().getOrDefault(broker, ""))));
                                    return listeners(String.join(", ", open));
                                })
                                .apply(survey))
                .apply(survey);
    }

    private static Judgement listeners(String open) {
        return open.isEmpty()
                ? fine("closed", "encrypted, or reached from the broker's own host only")
                : doubt(
                        open,
                        "whoever is on the way can read and change what is sent",
                        "SSL or SASL_SSL, unless the network is closed");
    }

    /** The listeners that other machines may reach and that are not encrypted: {@code PLAINTEXT://:9092}. */
    private static Set<String> open(String listeners, String protocols) {
        Map<String, String> byName = new TreeMap<>();
        for (String pair : protocols.split(",", -1)) {
            String[] parts = pair.strip().split(":", 2);
            if (parts.length == 2) {
                byName.put(parts[0], parts[1]);
            }
        }
        Set<String> open = new TreeSet<>();
        for (String listener : listeners.split(",", -1)) {
            String[] parts = listener.strip().split("://", 2);
            String protocol = byName.getOrDefault(parts[0], parts[0]);
            boolean here = parts.length == 2 && parts[1].matches("(127\\.[0-9.]+|localhost|\\[?::1]?):\\d+");
            if (!here && protocol.endsWith("PLAINTEXT")) {
                open.add(parts[0] + " (" + protocol + ")");
            }
        }
        return open;
    }
}
