package weir.cli.doctor;

import static weir.cli.doctor.AdviceRule.Judgement.bad;
import static weir.cli.doctor.AdviceRule.Judgement.doubt;
import static weir.cli.doctor.AdviceRule.Judgement.fine;
import static weir.cli.doctor.AdviceRule.Judgement.unknown;
import static weir.cli.doctor.ClusterFacts.brokers;
import static weir.cli.doctor.ClusterFacts.count;
import static weir.cli.doctor.ClusterFacts.property;
import static weir.cli.doctor.ClusterFacts.some;
import static weir.cli.doctor.ClusterFacts.told;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import weir.cli.doctor.AdviceRule.Judgement;
import weir.cluster.Broker;
import weir.cluster.admin.ClusterSurvey;

/** The rules for how a cluster stands now: its replicas, leaders, racks, controllers and disks. */
final class StandingRules {
    private static final int MOST_REPLICAS = 4_000;
    private static final double SKEW = 1.5;
    private static final long FAR_BEHIND = 1_000;
    /** A skew among a handful of partitions is chance. */
    private static final int FEW = 10;

    static final List<AdviceRule<ClusterSurvey>> ALL = List.of(
            now(
                    "partitions without a leader",
                    "none",
                    "all that is written there finds its place",
                    (topic, partition) -> partition.leader() < 0,
                    "can be neither written nor read",
                    "start the brokers that have a replica of them"),
            now(
                    "partitions below min.insync.replicas",
                    "none",
                    "producers with acks=all are not refused",
                    (topic, partition) -> partition.inSync().size()
                            < Math.min(
                                    DurabilityRules.number(topic, "min.insync.replicas", 1),
                                    partition.replicas().size()),
                    "refuse producers with acks=all",
                    "start or repair the brokers that their replicas are on"),
            new AdviceRule<>(
                    "under-replicated partitions",
                    "none, but for a moment while a broker is restarted",
                    AdviceSource.MONITORING,
                    "the next failure finds as many copies as were asked for",
                    survey -> partitions(
                            survey,
                            (topic, partition) -> partition.inSync().size()
                                    < partition.replicas().size(),
                            (figure, where) -> doubt(
                                    figure,
                                    where + " have replicas that are not in sync",
                                    "look for a broker that is down or slow; if all are up, for num.replica.fetchers,"
                                            + " throttles and disks"))),
            new AdviceRule<>(
                    "preferred leaders",
                    "partitions are led by the first of their replicas",
                    AdviceSource.OPERATIONS,
                    "brokers have the same share of the load, as they were planned to",
                    survey -> partitions(
                            survey,
                            (topic, partition) -> partition.leader() >= 0
                                    && partition.replicas().indexOf(partition.leader()) != 0,
                            (figure, where) -> doubt(
                                    figure,
                                    where + " are led by another replica, as after a restart",
                                    "kafka-leader-election.sh --election-type preferred --all-topic-partitions"))),
            new AdviceRule<>(
                    "leaders of each broker",
                    "between two thirds and one and a half times the mean",
                    AdviceSource.OPERATIONS,
                    "no broker limits the cluster while others idle",
                    survey -> told(survey.topics(), topics -> skew(survey, counted(survey, topics, true)))),
            new AdviceRule<>(
                    "replicas of each broker",
                    "4,000 or fewer",
                    AdviceSource.PARTITIONS,
                    "a broker starts, stops and hands over its leaders in seconds, not minutes",
                    survey -> told(survey.topics(), topics -> {
                        SortedMap<Integer, Integer> counted = counted(survey, topics, false);
                        int most = counted.values().stream()
                                .mapToInt(Integer::intValue)
                                .max()
                                .orElse(0);
                        String figure = figure(counted);
                        return most <= MOST_REPLICAS
                                ? fine(figure, "few enough")
                                : doubt(
                                        figure,
                                        "a restart or a failure takes long, as each partition is handled by itself",
                                        "fewer partitions, or more brokers");
                    })),
            new AdviceRule<>(
                    "racks",
                    "each broker has a broker.rack, and there are several: replicas are spread over them",
                    AdviceSource.OPERATIONS,
                    "the loss of a rack or zone takes one copy of a partition, not all",
                    StandingRules::racks),
            new AdviceRule<>(
                    "partitions within one rack",
                    "none: a partition with several replicas has them in several racks",
                    AdviceSource.OPERATIONS,
                    "the loss of a rack or zone takes one copy of a partition, not all",
                    StandingRules::spread),
            new AdviceRule<>(
                    "controllers",
                    "3 or 5: a majority has to be up",
                    AdviceSource.KRAFT,
                    "topics can be made and leaders elected while a controller is away",
                    survey -> told(survey.quorum(), StandingRules::quorum)),
            new AdviceRule<>(
                    "process.roles",
                    "controllers that are no brokers, in clusters that matter",
                    AdviceSource.KRAFT,
                    "a broker under load, or its restart, does not hold up elections",
                    property(
                            "process.roles",
                            values -> values.figure().contains("controller")
                                    ? doubt(
                                            values.figure(),
                                            "brokers are controllers, too",
                                            "have controllers of their own; for tests it is fine")
                                    : fine(values.figure(), "controllers are apart"))),
            new AdviceRule<>(
                    "log folders",
                    "all are online",
                    AdviceSource.DISK_FAILURE,
                    "all replicas of a broker are there",
                    survey -> told(survey.disks(), disks -> {
                        List<String> broken = disks.stream()
                                .filter(disk -> !disk.error().isEmpty())
                                .map(disk -> disk.folder() + " of broker " + disk.broker() + " (" + disk.error() + ")")
                                .toList();
                        return broken.isEmpty()
                                ? fine(count(disks.size(), "folder", "folders"), "all are online")
                                : bad(
                                        broken.size() + " offline",
                                        some(broken),
                                        "replace the disk and restart the broker, or move its replicas");
                    })),
            new AdviceRule<>(
                    "free room of log folders",
                    "15 % or more; a disk that is full takes its log folder offline, and the broker with the last one",
                    AdviceSource.DISK_FAILURE,
                    "brokers stay up while retention catches up",
                    survey -> told(survey.disks(), StandingRules::room)));

    private StandingRules() {}

    private interface Finding {
        Judgement of(String figure, String where);
    }

    private static AdviceRule<ClusterSurvey> now(
            String name,
            String rule,
            String gain,
            BiPredicate<ClusterSurvey.Topic, ClusterSurvey.Partition> breaks,
            String meaning,
            String advice) {
        return new AdviceRule<>(
                name,
                rule,
                AdviceSource.MONITORING,
                gain,
                survey -> partitions(survey, breaks, (figure, where) -> bad(figure, where + " " + meaning, advice)));
    }

    private static Judgement partitions(
            ClusterSurvey survey, BiPredicate<ClusterSurvey.Topic, ClusterSurvey.Partition> breaks, Finding finding) {
        return told(survey.topics(), topics -> {
            List<String> found = new ArrayList<>();
            int all = 0;
            for (ClusterSurvey.Topic topic : topics) {
                for (ClusterSurvey.Partition partition : topic.partitions()) {
                    all++;
                    if (breaks.test(topic, partition)) {
                        found.add(topic.name() + "-" + partition.number());
                    }
                }
            }
            String figure = found.size() + " of " + count(all, "partition", "partitions");
            return found.isEmpty() ? fine(figure, "as it should be") : finding.of(figure, some(found));
        });
    }

    private static SortedMap<Integer, Integer> counted(
            ClusterSurvey survey, List<ClusterSurvey.Topic> topics, boolean leaders) {
        SortedMap<Integer, Integer> counted = new TreeMap<>();
        survey.brokers().forEach(broker -> counted.put(broker.id(), 0));
        for (ClusterSurvey.Topic topic : topics) {
            for (ClusterSurvey.Partition partition : topic.partitions()) {
                for (int broker : leaders ? List.of(partition.leader()) : partition.replicas()) {
                    counted.computeIfPresent(broker, (number, count) -> count + 1);
                }
            }
        }
        return counted;
    }

    private static String figure(SortedMap<Integer, Integer> counted) {
        int least = counted.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        int most = counted.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return least == most ? HostRules.text(least) : HostRules.text(least) + " to " + HostRules.text(most);
    }

    private static Judgement skew(ClusterSurvey survey, SortedMap<Integer, Integer> counted) {
        double all = counted.values().stream().mapToInt(Integer::intValue).sum();
        double mean = all / Math.max(1, survey.brokers().size());
        List<Integer> heavy = numbers(counted, count -> count > SKEW * mean);
        List<Integer> light = numbers(counted, count -> count < mean / SKEW);
        return (heavy.isEmpty() && light.isEmpty()) || mean < FEW
                ? fine(figure(counted), mean < FEW ? "too few to judge their spread" : "evenly spread")
                : doubt(
                        figure(counted),
                        heavy.isEmpty()
                                ? brokers(light) + " lead less than two thirds of the mean"
                                : brokers(heavy) + " lead more than one and a half times the mean",
                        "elect preferred leaders, or move partitions with kafka-reassign-partitions.sh");
    }

    private static <N extends Number> List<Integer> numbers(SortedMap<Integer, N> figures, Predicate<N> which) {
        return figures.entrySet().stream()
                .filter(entry -> which.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Judgement racks(ClusterSurvey survey) {
        List<Integer> without = survey.brokers().stream()
                .filter(broker -> broker.rack().isEmpty())
                .map(Broker::id)
                .toList();
        Set<String> racks = survey.brokers().stream()
                .map(Broker::rack)
                .filter(rack -> !rack.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        String figure = count(racks.size(), "rack", "racks");
        if (survey.brokers().size() == 1) {
            return fine(figure, "with one broker there is nothing to spread");
        }
        if (!without.isEmpty()) {
            return doubt(
                    figure,
                    racks.isEmpty()
                            ? "no broker says where it stands, so all copies of a partition may stand together"
                            : brokers(without)
                                    + " do not say where they stand, so topics are spread over no racks at all",
                    "set broker.rack of all brokers to their rack or zone");
        }
        return racks.size() == 1
                ? doubt(figure, "all brokers stand together", "put brokers into other racks or zones")
                : fine(figure, "replicas of new topics are spread over them");
    }

    private static Judgement spread(ClusterSurvey survey) {
        Map<Integer, String> racks = new HashMap<>();
        survey.brokers().forEach(broker -> racks.put(broker.id(), broker.rack()));
        if (Set.copyOf(racks.values()).size() < 2 || racks.containsValue("")) {
            return fine("does not apply", "there are no racks to spread over");
        }
        return partitions(
                survey,
                (topic, partition) -> partition.replicas().size() > 1
                        && partition.replicas().stream()
                                        .map(replica -> racks.getOrDefault(replica, "broker " + replica))
                                        .distinct()
                                        .count()
                                == 1,
                (figure, where) -> doubt(
                        figure,
                        where + " have all their replicas in one rack",
                        "kafka-reassign-partitions.sh --generate spreads them"));
    }

    private static Judgement quorum(ClusterSurvey.Quorum quorum) {
        int voters = quorum.lags().size();
        String figure = String.valueOf(voters);
        if (quorum.leader() < 0) {
            return bad(figure, "none of them leads", "start the controllers that are down");
        }
        if (!quorum.silent().isEmpty()) {
            return doubt(
                    figure,
                    "controller "
                            + some(quorum.silent().stream().map(String::valueOf).toList())
                            + " does not fetch from the one that leads, as when it is down",
                    "start it, and see kafka-metadata-quorum.sh describe --replication");
        }
        List<Integer> behind = numbers(quorum.lags(), lag -> lag > FAR_BEHIND);
        if (!behind.isEmpty()) {
            return doubt(
                    figure,
                    "controller " + some(behind.stream().map(String::valueOf).toList()) + " is more than "
                            + HostRules.text(FAR_BEHIND) + " records behind",
                    "see kafka-metadata-quorum.sh describe --replication");
        }
        return voters < 3
                ? doubt(figure, "no majority is left when one is away", "have three controllers; for tests one is fine")
                : voters % 2 == 0
                        ? doubt(
                                figure,
                                "survive no more failures than one controller fewer would",
                                "have an odd number")
                        : fine(figure, "all keep up");
    }

    private static Judgement room(List<ClusterSurvey.Disk> disks) {
        Judgement worst = unknown("no broker tells the size of its disks, as before Kafka 3.3");
        double least = Double.POSITIVE_INFINITY;
        for (ClusterSurvey.Disk disk : disks) {
            if (disk.bytes() > 0 && disk.usableBytes() >= 0) {
                double share = (double) disk.usableBytes() / disk.bytes();
                if (share < least) {
                    least = share;
                    Judgement judged = ProcessRules.room(disk.bytes(), disk.usableBytes());
                    worst = new Judgement(
                            judged.figure(),
                            judged.verdict(),
                            judged.meaning() + " (the fullest: " + disk.folder() + " of broker " + disk.broker() + ")",
                            judged.advice());
                }
            }
        }
        return worst;
    }
}
