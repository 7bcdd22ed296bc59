package weir.cli.doctor;

import static weir.cli.doctor.AdviceRule.Judgement.bad;
import static weir.cli.doctor.AdviceRule.Judgement.doubt;
import static weir.cli.doctor.AdviceRule.Judgement.fine;
import static weir.cli.doctor.ClusterFacts.count;
import static weir.cli.doctor.ClusterFacts.property;
import static weir.cli.doctor.ClusterFacts.some;
import static weir.cli.doctor.ClusterFacts.told;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import weir.cli.doctor.AdviceRule.Judgement;
import weir.cluster.admin.ClusterSurvey;

/** The rules that decide whether a record survives the loss of a broker, and what that costs. */
final class DurabilityRules {
    private static final String MIN_ISR = "min.insync.replicas";
    private static final String UNCLEAN = "unclean.leader.election.enable";
    /** Kafka's "never". */
    private static final double NEVER = Long.MAX_VALUE;

    private static final int COPIES = 3;

    static final List<AdviceRule<ClusterSurvey>> ALL = List.of(
            new AdviceRule<>(
                    "brokers",
                    "three or more that are up: three copies of a record allow one broker to fail while another is restarted",
                    AdviceSource.REPLICATION,
                    "a restart or a failure of one broker loses nothing and stops nobody",
                    survey -> {
                        String figure = String.valueOf(survey.brokers().size());
                        return survey.brokers().size() >= COPIES
                                ? fine(figure + " up", "enough for three copies")
                                : doubt(
                                        figure + " up",
                                        "a record has no more copies than there are brokers; one that is down is not counted",
                                        "start those that are down, or have three where the data matters; one is enough for"
                                                + " tests");
                    }),
            new AdviceRule<>(
                    "default.replication.factor",
                    "3: topics that are made without a number get as many copies",
                    AdviceSource.property("default.replication.factor"),
                    "records of topics that somebody made in a hurry survive a broker",
                    copies("default.replication.factor")),
            new AdviceRule<>(
                    "min.insync.replicas of brokers",
                    "2 beside three copies: a producer with acks=all then has its records in two places, or an error",
                    AdviceSource.property(MIN_ISR),
                    "no acknowledged record is lost with one broker",
                    property(
                            MIN_ISR,
                            values -> values.least() >= 2
                                    ? fine(values.figure(), "acks=all means two copies or an error")
                                    : doubt(
                                            values.figure(),
                                            "acks=all is content with the leader alone when the others lag, and its loss loses"
                                                    + " acknowledged records",
                                            "min.insync.replicas=2, where topics have three copies"))),
            new AdviceRule<>(
                    "unclean.leader.election.enable of brokers",
                    "false: a replica that lacks records never becomes the leader",
                    AdviceSource.property(UNCLEAN),
                    "acknowledged records are not thrown away when brokers fail one after the other",
                    property(
                            UNCLEAN,
                            values -> values.any("true")
                                    ? bad(
                                            values.figure(),
                                            "after failures a replica may lead that lacks acknowledged records, which are lost then",
                                            "unclean.leader.election.enable=false; if nothing else helps, elect for one topic by hand")
                                    : fine(values.figure(), "only replicas in sync lead"))),
            new AdviceRule<>(
                    "log.flush.interval.messages",
                    "not set: replicas make records safe, and the kernel writes them to the disk",
                    AdviceSource.HARDWARE.section("Application vs. OS Flush Management"),
                    "appends without an fsync: many times the throughput of a partition, and no fsync in the p99",
                    property("log.flush.interval.messages", values -> flush(values.least(), values.figure()))),
            new AdviceRule<>(
                    "log.flush.interval.ms",
                    "not set: replicas make records safe, and the kernel writes them to the disk",
                    AdviceSource.HARDWARE.section("Application vs. OS Flush Management"),
                    "no fsync of all logs at once, which blocks appends meanwhile",
                    // Without a value of its own it is that of the scheduler, which is "never".
                    survey -> told(survey.properties(), properties -> {
                        var set = ClusterSurvey.values(properties, "log.flush.interval.ms");
                        set.values().removeIf(String::isEmpty);
                        return set.isEmpty()
                                ? fine("not set", "the kernel decides when")
                                : flush(
                                        new ClusterFacts.Values(set).least(),
                                        new ClusterFacts.Values(set).figure() + " ms");
                    })),
            internal("offsets.topic.replication.factor", "the offsets of all consumer groups"),
            internal("transaction.state.log.replication.factor", "the state of all transactions"),
            new AdviceRule<>(
                    "transaction.state.log.min.isr",
                    "2 beside three copies",
                    AdviceSource.property("transaction.state.log.min.isr"),
                    "a committed transaction stays committed when one broker is lost",
                    survey -> property(
                                    "transaction.state.log.min.isr",
                                    values -> values.least()
                                                    >= Math.min(
                                                            2, survey.brokers().size())
                                            ? fine(values.figure(), "as many as the brokers allow")
                                            : doubt(
                                                    values.figure(),
                                                    "the outcome of a transaction may be in one place only",
                                                    "transaction.state.log.min.isr=2"))
                            .apply(survey)),
            topics(
                    "copies of topics",
                    "three, or as many as there are brokers",
                    AdviceSource.REPLICATION,
                    "no partition is away, or lost, with one broker",
                    survey -> topic -> topic.replication()
                            < Math.min(COPIES, survey.brokers().size()),
                    topic -> topic.replication() + (topic.replication() == 1 ? " copy" : " copies"),
                    "have fewer copies than the brokers allow",
                    "kafka-reassign-partitions.sh adds replicas"),
            topics(
                    "min.insync.replicas of topics",
                    "2 where a topic has more than one copy",
                    AdviceSource.topic(MIN_ISR),
                    "no acknowledged record is lost with one broker",
                    survey -> topic -> topic.replication() > 1 && number(topic, MIN_ISR, 2) < 2,
                    topic -> "1",
                    "acknowledge acks=all with one copy when the others lag",
                    "kafka-configs.sh --alter --entity-type topics --entity-name TOPIC --add-config min.insync.replicas=2"),
            topics(
                    "topics that one broker stops",
                    "min.insync.replicas below the number of copies",
                    AdviceSource.topic(MIN_ISR),
                    "producers with acks=all go on while a broker is restarted",
                    survey -> topic -> topic.replication() > 1 && number(topic, MIN_ISR, 1) >= topic.replication(),
                    topic -> (int) number(topic, MIN_ISR, 1) + " of " + topic.replication(),
                    "refuse acks=all as soon as one broker is away",
                    "lower min.insync.replicas by one, or add a copy"),
            severe(
                    "unclean.leader.election.enable of topics",
                    "false",
                    AdviceSource.topic(UNCLEAN),
                    "acknowledged records are not thrown away when brokers fail one after the other",
                    topic -> "true".equals(topic.config().get(UNCLEAN)),
                    "may be led by a replica that lacks acknowledged records",
                    "kafka-configs.sh --alter --entity-type topics --entity-name TOPIC --delete-config " + UNCLEAN),
            topics(
                    "flush.messages and flush.ms of topics",
                    "not set",
                    AdviceSource.HARDWARE.section("Application vs. OS Flush Management"),
                    "appends without an fsync: many times the throughput of a partition, and no fsync in the p99",
                    survey -> topic ->
                            number(topic, "flush.messages", NEVER) < NEVER || number(topic, "flush.ms", NEVER) < NEVER,
                    topic -> number(topic, "flush.messages", NEVER) < NEVER
                            ? "each " + topic.config().get("flush.messages") + " records"
                            : "each " + topic.config().get("flush.ms") + " ms",
                    "force records to the disk",
                    "kafka-configs.sh --alter --entity-type topics --entity-name TOPIC --delete-config"
                            + " flush.messages,flush.ms"));

    private DurabilityRules() {}

    private static Function<ClusterSurvey, Judgement> copies(String name) {
        return survey -> property(
                        name,
                        values -> values.least()
                                        >= Math.min(COPIES, survey.brokers().size())
                                ? fine(values.figure(), "as many as the brokers allow")
                                : doubt(
                                        values.figure(),
                                        "is below what the brokers allow",
                                        name + "="
                                                + Math.min(
                                                        COPIES, survey.brokers().size())))
                .apply(survey);
    }

    private static AdviceRule<ClusterSurvey> internal(String name, String what) {
        return new AdviceRule<>(
                name,
                "3",
                AdviceSource.property(name),
                what + " survive a broker, and stay available while it is away",
                copies(name));
    }

    private static Judgement flush(double least, String figure) {
        return least >= NEVER
                ? fine("not set", "the kernel decides when")
                : doubt(
                        figure,
                        "the broker forces records to the disk, and appends wait for it",
                        "leave it out, and have replicas in other places instead");
    }

    static double number(ClusterSurvey.Topic topic, String name, double unset) {
        String value = topic.config().get(name);
        return value == null || !value.matches("-?\\d{1,19}") ? unset : Double.parseDouble(value);
    }

    private static AdviceRule<ClusterSurvey> severe(
            String name,
            String rule,
            AdviceSource source,
            String gain,
            Predicate<ClusterSurvey.Topic> breaks,
            String meaning,
            String advice) {
        return each(
                name,
                rule,
                source,
                gain,
                survey -> breaks,
                topic -> "",
                (figure, names) -> bad(figure, names + " " + meaning, advice));
    }

    /** A rule that each topic is held to. */
    static AdviceRule<ClusterSurvey> topics(
            String name,
            String rule,
            AdviceSource source,
            String gain,
            Function<ClusterSurvey, Predicate<ClusterSurvey.Topic>> breaks,
            Function<ClusterSurvey.Topic, String> figure,
            String meaning,
            String advice) {
        return each(
                name,
                rule,
                source,
                gain,
                breaks,
                figure,
                (found, names) -> doubt(found, names + " " + meaning, advice));
    }

    private static AdviceRule<ClusterSurvey> each(
            String name,
            String rule,
            AdviceSource source,
            String gain,
            Function<ClusterSurvey, Predicate<ClusterSurvey.Topic>> breaks,
            Function<ClusterSurvey.Topic, String> figure,
            BiFunction<String, String, Judgement> breaking) {
        return new AdviceRule<>(
                name,
                rule,
                source,
                gain,
                survey -> told(
                        survey.topics(),
                        topics -> judged(topics, names(topics, breaks.apply(survey), figure), breaking)));
    }

    private static Judgement judged(
            List<ClusterSurvey.Topic> topics, List<String> names, BiFunction<String, String, Judgement> breaking) {
        String figure = names.size() + " of " + count(topics.size(), "topic", "topics");
        return names.isEmpty() ? fine(figure, "no topic breaks it") : breaking.apply(figure, some(names));
    }

    private static List<String> names(
            List<ClusterSurvey.Topic> topics,
            Predicate<ClusterSurvey.Topic> breaks,
            Function<ClusterSurvey.Topic, String> figure) {
        return topics.stream()
                .filter(breaks)
                .map(topic ->
                        figure.apply(topic).isEmpty() ? topic.name() : topic.name() + " (" + figure.apply(topic) + ")")
                .toList();
    }
}
