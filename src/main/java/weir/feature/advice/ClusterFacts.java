package weir.feature.advice;

import static weir.feature.advice.AdviceFacts.count;
import static weir.feature.advice.AdviceFacts.whole;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.cluster.Broker;
import weir.cluster.admin.ClusterSurvey;
import weir.cluster.admin.ClusterSurvey.Partition;
import weir.cluster.admin.ClusterSurvey.SurveyAnswer;
import weir.cluster.admin.ClusterSurvey.Topic;

/** The facts of a cluster: its settings, topics and state. The number of a property is the lowest of all brokers. */
record ClusterFacts(ClusterSurvey survey) implements AdviceFacts {
    private static final String MIN_ISR = "min.insync.replicas";
    private static final String SEGMENT = "segment.bytes";
    private static final String COMPRESSION = "compression.type";

    private static final double NEVER = Long.MAX_VALUE;

    private static final double SKEW = 1.5;
    private static final long FAR_BEHIND = 1_000;
    private static final double SMALL_SEGMENT = 64.0 * (1 << 20);

    /** Bytes before a batch. Kafka's default message.max.bytes exceeds the default of a fetch by them. */
    private static final double LOG_OVERHEAD = 12;

    /** Names of hidden properties, because brokers mark only properties that they know as secret. */
    private static final Pattern SECRETIVE =
            Pattern.compile("password|secret|key|token|licen[cs]e|credential|jaas", Pattern.CASE_INSENSITIVE);

    private static final Pattern OWN = Pattern.compile(
            "(node|broker)\\.id|broker\\.rack|(advertised\\.)?listeners"
                    + "|(metadata\\.)?log\\.dir|log\\.dirs|process\\.roles|(listener\\.name|ssl|sasl|controller\\.quorum)\\..*");

    private static final List<String> THROTTLES = List.of(
            "leader.replication.throttled.rate",
            "follower.replication.throttled.rate",
            "replica.alter.log.dirs.io.max.bytes.per.second");

    @Override
    public Fact fact(String name) {
        int brokers = survey.brokers().size();
        return switch (name) {
            case "brokers" -> Fact.of(brokers);
            case "copies.possible" -> Fact.of(Math.min(3, brokers));
            case "isr.possible" -> Fact.of(Math.min(2, brokers));
            case "flush.ms" -> flush();
            case "io.threads" -> Fact.of(Math.max(8, mostFolders()));
            case "replica.fetch.largest" ->
                Fact.of(fact("replica.fetch.max.bytes").number() + LOG_OVERHEAD);
            case "message.largest" -> Fact.of(largestMessage());
            case "throttles" -> throttles();
            case "quotas" -> Fact.of(valueOf(survey.quotas()));
            case "properties.brokers" -> Fact.of(valueOf(survey.properties()).size());
            case "properties.different" -> differences();
            case "properties.unknown" -> Fact.of(valueOf(survey.unknown()));
            case "metadata", "metadata.highest" -> metadata(name.equals("metadata"));
            case "listeners.open" -> listeners();
            case "topics.few-copies" ->
                topics(
                        topic -> topic.replication()
                                < Math.min(3, survey.brokers().size()),
                        topic -> topic.replication() + (topic.replication() == 1 ? " copy" : " copies"));
            case "topics.low-isr" ->
                topics(topic -> topic.replication() > 1 && number(topic, MIN_ISR, 2) < 2, topic -> "1");
            case "topics.high-isr" ->
                topics(
                        topic -> topic.replication() > 1 && number(topic, MIN_ISR, 1) >= topic.replication(),
                        topic -> (int) number(topic, MIN_ISR, 1) + " of " + topic.replication());
            case "topics.unclean" ->
                topics(topic -> "true".equals(topic.config().get("unclean.leader.election.enable")), topic -> "");
            case "topics.flush" -> topics(topic -> !flush(topic).isEmpty(), ClusterFacts::flush);
            case "topics.small-segments" ->
                topics(
                        topic -> number(topic, SEGMENT, SMALL_SEGMENT) < SMALL_SEGMENT
                                && !topic.config()
                                        .getOrDefault("cleanup.policy", "delete")
                                        .contains("compact"),
                        topic -> whole(number(topic, SEGMENT, SMALL_SEGMENT) / 1024) + " KiB");
            case "topics.compressed" ->
                topics(
                        topic -> !topic.internal()
                                && !topic.config()
                                        .getOrDefault(COMPRESSION, "producer")
                                        .equals("producer"),
                        topic -> topic.config().getOrDefault(COMPRESSION, "producer"));
            case "partitions.leaderless" -> partitions((topic, partition) -> partition.leader() < 0);
            case "partitions.below-isr" ->
                partitions((topic, partition) -> partition.inSync().size()
                        < Math.min(
                                number(topic, MIN_ISR, 1), partition.replicas().size()));
            case "partitions.under-replicated" ->
                partitions((topic, partition) ->
                        partition.inSync().size() < partition.replicas().size());
            case "partitions.moved" ->
                partitions((topic, partition) ->
                        partition.leader() >= 0 && partition.replicas().indexOf(partition.leader()) != 0);
            case "partitions.one-rack" ->
                partitions((topic, partition) -> partition.replicas().size() > 1 && racks(partition) == 1);
            case "leaders" -> spread(counted(true));
            case "leaders.mean" -> Fact.of(meanLeaders());
            case "leaders.heavy" -> brokers(numbers(counted(true), count -> count > SKEW * meanLeaders()));
            case "leaders.light" -> brokers(numbers(counted(true), count -> count < meanLeaders() / SKEW));
            case "replicas" -> spread(counted(false));
            case "racks" -> Fact.of(racks().size(), count(racks().size(), "rack"));
            case "racks.without" ->
                brokers(survey.brokers().stream()
                        .filter(broker -> broker.rack().isEmpty())
                        .map(Broker::id)
                        .toList());
            case "racks.to-spread-over" -> Fact.of(fact("racks.without").number() > 0 ? 0 : racks().size());
            case "controllers" -> Fact.of(valueOf(survey.quorum()).lags().size());
            case "controllers.odd" -> Fact.of(valueOf(survey.quorum()).lags().size() % 2);
            case "controllers.leader" -> Fact.of(valueOf(survey.quorum()).leader());
            case "controllers.silent" ->
                Fact.of(valueOf(survey.quorum()).silent().stream()
                        .map(String::valueOf)
                        .toList());
            case "controllers.behind" ->
                Fact.of(numbers(valueOf(survey.quorum()).lags(), lag -> lag > FAR_BEHIND).stream()
                        .map(String::valueOf)
                        .toList());
            case "folders" ->
                Fact.of(
                        valueOf(survey.disks()).size(),
                        count(valueOf(survey.disks()).size(), "folder"));
            case "folders.most" -> Fact.of(mostFolders());
            case "folders.offline" ->
                Fact.of(valueOf(survey.disks()).stream()
                        .filter(disk -> !disk.error().isEmpty())
                        .map(disk -> disk.folder() + " of broker " + disk.broker() + " (" + disk.error() + ")")
                        .toList());
            case "room" -> AdviceFacts.room(fullest().bytes(), fullest().usableBytes());
            case "room.fullest" ->
                Fact.of(fullest().folder() + " of broker " + fullest().broker());
            default -> {
                if (name.startsWith("topics.") || name.startsWith("partitions.")) {
                    throw new IllegalArgumentException(name);
                }
                yield property(values(name));
            }
        };
    }

    private static <T> T valueOf(SurveyAnswer<T> answer) {
        return answer.either(Function.identity(), why -> {
            throw new Unknown("the cluster did not answer: " + why);
        });
    }

    /** Returns the values by broker id. Throws {@link Unknown} if a value is missing. */
    private SortedMap<Integer, String> values(String name) {
        SortedMap<Integer, String> values = ClusterSurvey.values(valueOf(survey.properties()), name);
        if (values.isEmpty() || values.containsValue("")) {
            throw new Unknown(name + " is not reported by "
                    + (values.isEmpty()
                            ? "any broker"
                            : brokers(numbers(values, String::isEmpty)).text()));
        }
        return values;
    }

    private static Fact property(SortedMap<Integer, String> values) {
        Map<String, List<Integer>> by = new LinkedHashMap<>();
        values.forEach((broker, value) ->
                by.computeIfAbsent(value, any -> new ArrayList<>()).add(broker));
        return Fact.of(
                values.values().stream()
                        .mapToDouble(value -> number(value, Double.NaN))
                        .min()
                        .orElse(Double.NaN),
                by.size() == 1
                        ? by.keySet().iterator().next()
                        : by.entrySet().stream()
                                .map(entry -> entry.getKey() + " ("
                                        + brokers(entry.getValue()).text() + ")")
                                .collect(Collectors.joining(", ")));
    }

    private static double number(String value, double otherwise) {
        return value.matches("-?\\d{1,19}") ? Double.parseDouble(value) : otherwise;
    }

    private static double number(Topic topic, String name, double unset) {
        return number(topic.config().getOrDefault(name, ""), unset);
    }

    private static Fact brokers(Collection<Integer> numbers) {
        Fact some = Fact.of(numbers.stream().map(String::valueOf).toList());
        return Fact.of(some.number(), (numbers.size() == 1 ? "broker " : "brokers ") + some.text());
    }

    private static <T> List<Integer> numbers(SortedMap<Integer, T> figures, Predicate<T> which) {
        return figures.entrySet().stream()
                .filter(entry -> which.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The value of log.flush.interval.ms; "never" if no broker sets it. */
    private Fact flush() {
        SortedMap<Integer, String> set = ClusterSurvey.values(valueOf(survey.properties()), "log.flush.interval.ms");
        set.values().removeIf(String::isEmpty);
        return set.isEmpty() ? Fact.of(NEVER) : property(set);
    }

    private double largestMessage() {
        double most = values("message.max.bytes").values().stream()
                .mapToDouble(value -> number(value, Double.NaN))
                .max()
                .orElse(Double.NaN);
        return valueOf(survey.topics()).stream()
                .mapToDouble(topic -> number(topic, "max.message.bytes", most))
                .reduce(most, Math::max);
    }

    private Fact throttles() {
        List<String> set = new ArrayList<>();
        for (String name : THROTTLES) {
            ClusterSurvey.values(valueOf(survey.properties()), name).forEach((broker, value) -> {
                if (value.matches("\\d{1,19}") && Double.parseDouble(value) < NEVER) {
                    set.add(name + "=" + value + " of broker " + broker);
                }
            });
        }
        return Fact.of(set);
    }

    private Fact differences() {
        Set<String> names = new TreeSet<>();
        valueOf(survey.properties()).values().forEach(all -> names.addAll(all.keySet()));
        names.removeIf(name -> OWN.matcher(name).matches());
        List<String> differ = new ArrayList<>();
        for (String name : names) {
            Set<String> values = new TreeSet<>(
                    ClusterSurvey.values(valueOf(survey.properties()), name).values());
            if (values.size() > 1) {
                String shown = String.join(" / ", values);
                differ.add(
                        SECRETIVE.matcher(name).find()
                                ? name
                                : name + " (" + (shown.startsWith(" / ") ? "none" : "") + shown + ")");
            }
        }
        return Fact.of(differ);
    }

    private Fact metadata(boolean holds) {
        ClusterSurvey.Level level = valueOf(survey.metadata());
        if (level.highest() == 0) {
            throw new Unknown("a cluster with ZooKeeper has no controller quorum");
        }
        return Fact.of(holds ? level.holds() : level.highest());
    }

    /** Returns unencrypted listeners that other machines can reach, such as {@code PLAINTEXT://:9092}. */
    private Fact listeners() {
        Set<String> open = new TreeSet<>();
        SortedMap<Integer, String> maps = values("listener.security.protocol.map");
        values("listeners").forEach((broker, listeners) -> {
            Map<String, String> protocols = new TreeMap<>();
            for (String pair : maps.getOrDefault(broker, "").split(",", -1)) {
                String[] parts = pair.strip().split(":", 2);
                if (parts.length == 2) {
                    protocols.put(parts[0], parts[1]);
                }
            }
            for (String listener : listeners.split(",", -1)) {
                String[] parts = listener.strip().split("://", 2);
                String protocol = protocols.getOrDefault(parts[0], parts[0]);
                boolean here = parts.length == 2 && parts[1].matches("(127\\.[0-9.]+|localhost|\\[?::1]?):\\d+");
                if (!here && protocol.endsWith("PLAINTEXT")) {
                    open.add(parts[0] + " (" + protocol + ")");
                }
            }
        });
        return Fact.of(open.size(), String.join(", ", open));
    }

    private static String flush(Topic topic) {
        return number(topic, "flush.messages", NEVER) < NEVER
                ? "each " + topic.config().get("flush.messages") + " records"
                : number(topic, "flush.ms", NEVER) < NEVER
                        ? "each " + topic.config().get("flush.ms") + " ms"
                        : "";
    }

    private Fact topics(Predicate<Topic> breaks, Function<Topic, String> figure) {
        List<Topic> topics = valueOf(survey.topics());
        List<String> names = topics.stream()
                .filter(breaks)
                .map(topic ->
                        figure.apply(topic).isEmpty() ? topic.name() : topic.name() + " (" + figure.apply(topic) + ")")
                .toList();
        return Fact.of(names, topics.size(), "topic");
    }

    private Fact partitions(BiPredicate<Topic, Partition> breaks) {
        List<String> found = new ArrayList<>();
        int all = 0;
        for (Topic topic : valueOf(survey.topics())) {
            for (Partition partition : topic.partitions()) {
                all++;
                if (breaks.test(topic, partition)) {
                    found.add(topic.name() + "-" + partition.number());
                }
            }
        }
        return Fact.of(found, all, "partition");
    }

    private long racks(Partition partition) {
        return partition.replicas().stream()
                .map(replica -> survey.brokers().stream()
                        .filter(broker -> broker.id() == replica)
                        .map(Broker::rack)
                        .findFirst()
                        .orElse("broker " + replica))
                .distinct()
                .count();
    }

    private SortedMap<Integer, Integer> counted(boolean leaders) {
        SortedMap<Integer, Integer> counted = new TreeMap<>();
        survey.brokers().forEach(broker -> counted.put(broker.id(), 0));
        for (Topic topic : valueOf(survey.topics())) {
            for (Partition partition : topic.partitions()) {
                for (int broker : leaders ? List.of(partition.leader()) : partition.replicas()) {
                    counted.computeIfPresent(broker, (number, count) -> count + 1);
                }
            }
        }
        return counted;
    }

    private double meanLeaders() {
        double all = counted(true).values().stream().mapToInt(Integer::intValue).sum();
        return all / Math.max(1, survey.brokers().size());
    }

    private static Fact spread(SortedMap<Integer, Integer> counted) {
        int least = counted.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        int most = counted.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return Fact.of(most, least == most ? whole(least) : whole(least) + " to " + whole(most));
    }

    private Set<String> racks() {
        return survey.brokers().stream()
                .map(Broker::rack)
                .filter(rack -> !rack.isEmpty())
                .collect(Collectors.toSet());
    }

    private int mostFolders() {
        Map<Integer, Integer> folders = new TreeMap<>();
        valueOf(survey.disks()).forEach(disk -> folders.merge(disk.broker(), 1, Integer::sum));
        return folders.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    private ClusterSurvey.Disk fullest() {
        return valueOf(survey.disks()).stream()
                .filter(disk -> disk.bytes() > 0 && disk.usableBytes() >= 0)
                .min(Comparator.comparingDouble(disk -> (double) disk.usableBytes() / disk.bytes()))
                .orElseThrow(() -> new Unknown("no broker reports its disk size; Kafka 3.3 and later report the size"));
    }
}
